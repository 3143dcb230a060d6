import { OAuthError } from "./oauth-error.ts";
import type { OAuthTokens, TokenStore } from "./token-store.ts";

/** A token that ends sooner than this is renewed before it is sent. */
const reserveMs = 10_000;

export type TokenKeeper = {
  /** A token that still lives, renewed if need be; not the one that was refused. */
  accessToken(refused?: string): Promise<string>;
  refresh(): Promise<OAuthTokens>;
};

export type TokenKeeperDeps = {
  store: TokenStore;
  /** The name of the lock that all tabs share. */
  name: string;
  /** Asks for new tokens and stores them. */
  refresh(tokens: OAuthTokens): Promise<OAuthTokens>;
};

/** Hands out access tokens and renews them in one flight. A refresh refused with `invalid_grant` forgets the tokens. */
export function createTokenKeeper({ store, name, refresh }: TokenKeeperDeps): TokenKeeper {
  let flight: Promise<OAuthTokens> | null = null;
  const renew = async (old: string): Promise<OAuthTokens> => {
    const kept = needTokens(await store.get());
    // Another tab, which had the lock before, has done it.
    if (kept.accessToken !== old) {
      return kept;
    }
    return refresh(kept).catch(async (error: unknown) => {
      if (error instanceof OAuthError && error.code === "invalid_grant") {
        await store.set(null);
      }
      throw error;
    });
  };
  const renewOnce = (old: string): Promise<OAuthTokens> =>
    (flight ??= withLock(name, () => renew(old)).finally(() => {
      flight = null;
    }));
  return {
    accessToken: async (refused) => {
      const kept = needTokens(await store.get());
      const isGood = kept.accessToken !== refused && kept.expiresAtMs - reserveMs > Date.now();
      return (isGood ? kept : await renewOnce(kept.accessToken)).accessToken;
    },
    refresh: async () => renewOnce(needTokens(await store.get()).accessToken),
  };
}

function needTokens(kept: OAuthTokens | null): OAuthTokens {
  if (!kept) {
    throw new OAuthError("No user is signed in.", { status: null, code: "signed_out" });
  }
  return kept;
}

type Locks = { request<T>(name: string, work: () => Promise<T>): Promise<T> };

/** Web Locks reach across tabs: the second of two that refresh finds what the first stored. */
function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Only browsers have locks, and not every runtime has a `navigator`. Both are optional in these types.
  const { locks } = ((globalThis as { navigator?: unknown }).navigator ?? {}) as { locks?: Locks };
  return locks ? locks.request(name, work) : work();
}
