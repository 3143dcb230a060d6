/** What a person's consent gave. */
export type OAuthTokens = {
  accessToken: string;
  refreshToken: string;
  /** A JWT about the person, when `openid` was asked for. */
  idToken?: string;
  /** Unix time in ms. */
  expiresAtMs: number;
  /** What was granted. */
  scope: string;
};

/**
 * Where the tokens are kept: memory, unless you say otherwise. `set(null)` forgets them. Shared with other tabs or
 * processes, it must answer `get` with what the latest `set` of any of them stored.
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
