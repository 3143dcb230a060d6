import { clientMetadataOf } from "@gateway/auth/client-metadata";
import { providerConfiguration, type ProviderConfigurationDeps } from "@gateway/auth/provider-configuration";
import { systemClock } from "@gateway/kernel";
import type { PendingExchange } from "@gateway/auth/pending-exchange";
import type { PrivateJwk } from "@gateway/platform/auth";
import { generateKeyPairSync } from "node:crypto";
import { Provider } from "oidc-provider";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { serve } from "./serve.ts";

export type BareProviderOptions = {
  authUrl: string;
  apiUrl: string;
  applicationId: string;
  redirectUri: string;
  scope: string;
};

const userId = "usr_bench";
const scopes = ["openid", "email", "profile", "read", "write"] as const;

/** A minimal oidc-provider: our configuration, its own adapter in memory, one application, and one signed-in user. */
await serve(async (options: BareProviderOptions) => {
  const provider = new Provider(options.authUrl, {
    ...providerConfiguration(bareDeps(options), [makeKey()]),
    adapter: undefined,
    clients: [
      clientMetadataOf({
        id: options.applicationId,
        accountId: "acc_bench",
        name: "Bench",
        redirectUris: [options.redirectUri],
        scopes: [...scopes],
        logoUri: null,
        websiteUrl: null,
      }),
    ],
  });
  provider.proxy = true;
  const cookie = await signIn(provider, options);
  const answer = provider.callback();
  return listenOnLoopback((req, res) => {
    if (req.url === "/cookie") {
      res.end(cookie);
      return;
    }
    req.headers["x-forwarded-proto"] = "https";
    void answer(req, res);
  });
});

/** Answers from memory the configuration's queries to our own tables. */
function bareDeps({ authUrl, apiUrl, applicationId }: BareProviderOptions): ProviderConfigurationDeps {
  const user = { id: userId, email: "user@bench.example", name: "Bench", passwordHash: null, createdAt: new Date() };
  const holder = { ...user, userId, accountId: "acc_bench", grantId: "bench", applicationScopes: scopes };
  // The configuration reads only the holder of an exchange. The library's own adapter does the rest.
  const exchange = { holder } as unknown as PendingExchange;
  const services = {
    auth: { users: { get: async () => user } },
    accounts: {
      grants: {
        findHolder: async (grantId: string) => ({
          grantId,
          accountId: "acc_bench",
          userId,
          applicationId,
          isSuspended: false,
        }),
        listOfUser: async () => [],
      },
      people: { listOfUser: async () => [] },
    },
  };
  return {
    // The configuration itself calls no other service.
    unitOfWork: { current: () => ({ services: services as never, exchange }) },
    browserSessions: {
      find: async () => ({
        sessionId: "ses_bench",
        userId,
        method: "password",
        secondFactor: null,
        authenticatedAtMs: Date.now(),
      }),
    },
    views: { renderErrorPage: ({ message }) => message, renderLogoutQuestion: () => "", renderSignedOut: () => "" },
    clock: systemClock,
    authUrl,
    apiUrl,
    consoleSecret: null,
  };
}

/** Returns the cookie of a browser whose user has granted the application everything. */
async function signIn(provider: Provider, { applicationId, apiUrl, scope }: BareProviderOptions): Promise<string> {
  const grant = new provider.Grant({ accountId: userId, clientId: applicationId });
  grant.addOIDCScope("openid email profile");
  grant.addResourceScope(apiUrl, scope);
  const session = new provider.Session();
  session.loginAccount({ accountId: userId });
  session.ensureClientContainer(applicationId);
  session.grantIdFor(applicationId, await grant.save());
  await session.save(3600);
  return `${provider.cookieName("session")}=${session.jti}`;
}

function makeKey(): PrivateJwk {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  // An RSA key has all of these (RFC 7518, 6.3).
  return { ...(privateKey.export({ format: "jwk" }) as PrivateJwk), kid: "bench", alg: "RS256", use: "sig" };
}
