/** The credential of the caller. */
export type Credential = {
  /** The key or token to send. `refused` was just refused: the same again means that there is no better one. */
  get(refused?: string): string | Promise<string>;
  header(secret: string): [name: string, value: string];
};

/** An access token, or what gives one for each call, and a new one when the last was refused. */
export type AccessTokenSource = string | ((refused?: string) => string | Promise<string>);

/** An OAuth session, or anything that hands out access tokens and renews them. */
export interface AccessTokens {
  accessToken(refused?: string): Promise<string>;
}

/** An API key, or the mark of a page's script, to whose calls the browser adds the cookie. */
export function headerCredential(name: "X-API-Key" | "X-Console", value: string): Credential {
  return { get: () => value, header: (secret) => [name, secret] };
}

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
