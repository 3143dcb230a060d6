export type AuthorizeUrlInput = {
  /** The identity provider's address. */
  authUrl: string;
  clientId: string;
  /** Exactly as it is registered. */
  redirectUri: string;
  /** Such as `["openid", "email", "read"]`. */
  scopes: readonly string[];
  /** Comes back with the redirect. */
  state: string;
  codeChallenge: string;
  /** How long ago the person may have signed in; else they are asked again. */
  maxAgeSeconds?: number | null | undefined;
};

/** The URL at which the person signs in and consents (RFC 6749, 4.1.1). */
export function authorizeUrl({
  authUrl,
  clientId,
  redirectUri,
  scopes,
  state,
  codeChallenge,
  maxAgeSeconds = null,
}: AuthorizeUrlInput): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    state,
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
    ...(maxAgeSeconds !== null && { max_age: String(maxAgeSeconds) }),
  });
  return `${authUrl.replace(/\/$/, "")}/api/v1/authorize?${query}`;
}
