import { consoleApplication } from "@gateway/platform/accounts";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { IssuedTokens } from "./issued-tokens.ts";
import type { ExchangeSlots } from "./exchange-slots.ts";
import type { GatewayProvider } from "./gateway-provider.ts";
import { paths } from "./routes.ts";
import type { UnitOfWork } from "./unit-of-work.ts";

export type RevokeTokensDeps = {
  unitOfWork: UnitOfWork;
  slots: ExchangeSlots;
  accessTokens: IssuedTokens;
};

/**
 * RFC 7009. Revokes a refresh token and its grant in one transaction, and with them every access token. A JWT, which
 * the library refuses, ends its grant if the asking application was given it (2.1); any other is answered as unknown
 * (2.2). At the console, this signs out of the browser too.
 */
export function amendRevocation(
  provider: GatewayProvider,
  { unitOfWork, slots, accessTokens }: RevokeTokensDeps,
): void {
  let count = 0;
  provider.use(async (ctx, next) => {
    if (ctx.path !== paths.revocation || ctx.method !== "POST") {
      return next();
    }
    count += 1;
    await slots.run(`revocation ${count}`, () =>
      unitOfWork.run(async ({ accounts, auth }) => {
        await next();
        // The library gives its routes this context.
        const { oidc } = ctx as Partial<KoaContextWithOIDC>;
        const token = oidc?.params?.["token"];
        const grantId = oidc?.entities.RefreshToken?.grantId;
        const isConsole = oidc?.client?.clientId === consoleApplication.id;
        const session = isConsole && grantId !== undefined ? await accounts.grants.findSession(grantId) : null;
        await (session && auth.sessions.end(session));
        if (oidc?.client && typeof token === "string" && isUnsupported(ctx.body)) {
          const known = await accessTokens.verify(token);
          if (known?.clientId === oidc.client.clientId) {
            await accounts.grants.revoke(known.grantId);
          }
          ctx.status = 200;
          ctx.body = "";
        }
      }),
    );
  });
}

function isUnsupported(body: unknown): boolean {
  return typeof body === "object" && body !== null && "error" in body && body.error === "unsupported_token_type";
}
