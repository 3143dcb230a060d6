/** The tokens of a person's consent. */
export type OAuthTokens = {
  accessToken: string;
  refreshToken: string;
  /** A JWT about the person, when `openid` was asked for. */
  idToken?: string;
  /** Unix time in ms. */
  expiresAtMs: number;
  /** The granted scopes. */
  scope: string;
};

/**
 * The storage of the tokens: memory by default. `set(null)` forgets them. If it is shared with other tabs or processes,
 * `get` must return the latest `set` of any of them.
 */
export interface TokenStore {
  get(): OAuthTokens | null | Promise<OAuthTokens | null>;
  set(tokens: OAuthTokens | null): void | Promise<void>;
}

export function createMemoryTokenStore(): TokenStore {
  let kept: OAuthTokens | null = null;
  return {
    get: () => kept,
    set: (tokens) => {
      kept = tokens;
    },
  };
}
