import { scopes } from "@gateway/platform/accounts";
import type { GatewayProvider } from "./gateway-provider.ts";
import { paths } from "./routes.ts";

/** The key set is read again after at most 5 minutes, and a key is published 15 minutes before it signs. */
const cacheSeconds = 300;

const metadataPaths: readonly string[] = [paths.openidConfiguration, paths.authorizationServer];

/**
 * Limits discovery to the features that applications can use, out of everything that the library supports, and lets it
 * be cached.
 */
export function amendMetadata(provider: GatewayProvider, { authUrl }: { authUrl: string }): void {
  provider.use(async (ctx, next) => {
    await next();
    const isMetadata = metadataPaths.includes(ctx.path);
    if (ctx.status !== 200 || (!isMetadata && ctx.path !== paths.jwks)) {
      return;
    }
    ctx.set("Cache-Control", `public, max-age=${cacheSeconds}`);
    if (isMetadata) {
      ctx.body = Object.assign({}, ctx.body, ownMetadata(authUrl));
    }
  });
}

/** RFC 8414, and OpenID Connect Discovery 1.0. */
function ownMetadata(authUrl: string): Readonly<Record<string, unknown>> {
  return {
    userinfo_endpoint: `${authUrl}${paths.userinfo}`,
    scopes_supported: scopes,
    response_modes_supported: ["query"],
    token_endpoint_auth_methods_supported: ["none"],
    token_endpoint_auth_signing_alg_values_supported: undefined,
    revocation_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_signing_alg_values_supported: undefined,
    prompt_values_supported: ["none", "login", "consent"],
    claims_supported: [
      "iss",
      "sub",
      "aud",
      "exp",
      "iat",
      "auth_time",
      "nonce",
      "acr",
      "amr",
      "at_hash",
      "email",
      "email_verified",
      "name",
    ],
  };
}
