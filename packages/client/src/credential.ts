/** What proves who calls. */
export type Credential = {
  /** The key or token to send. `refused` is what the gateway has just refused: the same again means that there is no better one. */
  get(refused?: string): string | Promise<string>;
  header(secret: string): [name: string, value: string];
};

/** An access token, or what gives one for each call, and a new one when the last was refused. */
export type AccessTokenSource = string | ((refused?: string) => string | Promise<string>);

/** An OAuth session, or anything that hands out access tokens and renews them. */
export interface AccessTokens {
  accessToken(refused?: string): Promise<string>;
}

export function apiKeyCredential(apiKey: string): Credential {
  return { get: () => apiKey, header: (secret) => ["X-API-Key", secret] };
}

/** The browser adds the cookie by itself, to calls of the page's own origin; the header says that a script of the page called. */
export const sessionCredential: Credential = { get: () => "1", header: (mark) => ["X-Console", mark] };

export function tokenCredential(source: AccessTokenSource): Credential {
  return {
    get: typeof source === "string" ? () => source : source,
    header: (token) => {
      // A header that is refused by the platform would be quoted in its error.
      if (!/^[\x21-\x7e]+$/.test(token)) {
        throw new TypeError("The access token is empty or holds letters that no token has.");
      }
      return ["Authorization", `Bearer ${token}`];
    },
  };
}
