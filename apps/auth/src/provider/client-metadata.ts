import type { OauthClient } from "@gateway/platform/accounts";
import type { Client, ClientMetadata } from "oidc-provider";

/** The name under which the library keeps what an application is registered for. */
export const registeredScopes = "registered_scopes";

/**
 * The application for the library: public, code with PKCE, and always `web`, because `native` ones may choose the port
 * of a loopback redirect URI, and here every redirect URI is compared exactly.
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

/** For what runs on a server of ours, and can keep a secret. */
export function confidential(metadata: ClientMetadata, secret: string): ClientMetadata {
  return { ...metadata, token_endpoint_auth_method: "client_secret_post", client_secret: secret };
}

export function registeredScopesOf(client: Client): readonly string[] {
  // Put there by `clientMetadataOf`; the library hands on what it does not know as it is.
  return client[registeredScopes] as readonly string[];
}

/** Where a browser may go after the sign-out: to a redirect URI, or to the front page of its host. */
function afterSignOut(redirectUris: readonly string[]): string[] {
  return [...new Set([...redirectUris, ...redirectUris.map((uri) => `${new URL(uri).origin}/`)])];
}
