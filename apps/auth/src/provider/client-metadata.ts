import type { OauthClient } from "@gateway/platform/accounts";
import type { Client, ClientMetadata } from "oidc-provider";

/** The library's metadata field for the scopes that an application is registered for. */
export const registeredScopes = "registered_scopes";

/**
 * The application as a client of the library: public, with PKCE. It is always `web`, because `native` clients may
 * choose the port of a loopback redirect URI. Here every redirect URI is compared exactly.
 */
export function clientMetadataOf({ id, name, redirectUris, scopes, websiteUrl }: OauthClient): ClientMetadata {
  return {
    client_id: id,
    client_name: name,
    ...(websiteUrl !== null && { client_uri: websiteUrl }),
    application_type: "web",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    response_modes: ["query"],
    redirect_uris: redirectUris,
    post_logout_redirect_uris: afterSignOut(redirectUris),
    [registeredScopes]: scopes,
  };
}

/** Adds a secret to the client of a program that runs on our own servers and can keep it. */
export function confidential(metadata: ClientMetadata, secret: string): ClientMetadata {
  return { ...metadata, token_endpoint_auth_method: "client_secret_post", client_secret: secret };
}

export function registeredScopesOf(client: Client): readonly string[] {
  // Set by `clientMetadataOf`. The library passes unknown fields through unchanged.
  return client[registeredScopes] as readonly string[];
}

/** Addresses that a browser may open after the sign-out: a redirect URI, or the front page of its host. */
function afterSignOut(redirectUris: readonly string[]): string[] {
  return [...new Set([...redirectUris, ...redirectUris.map((uri) => `${new URL(uri).origin}/`)])];
}
