import { Problem } from "@gateway/contract";
import { type Clock } from "@gateway/kernel";
import type { CryptoKey } from "jose";
import { setTimeout as delay } from "node:timers/promises";

/** `text` is the key itself: the same name with a different text is a different key. */
export type PublishedKey = { kid: string; text: string; key: CryptoKey };

export interface KeySet {
  /** Null: the identity provider publishes no key of this name. A Problem: the provider is not available. */
  find(kid: string): Promise<PublishedKey | Problem | null>;
  /** Whether the identity provider still publishes this very key, as far as this process knows. */
  isPublished(key: PublishedKey): boolean;
  stop(): Promise<void>;
}

export type KeySetDeps = {
  /** Reads all keys that are published now; rejects when they cannot be read. */
  read(): Promise<readonly PublishedKey[]>;
  clock: Clock;
  /** Interval of reading the set. A key that has left the set is believed no longer than that. */
  refreshMs: number;
  onFailure(error: unknown): void;
};

/** A forged token costs only its sender's rate limit, so unknown names do not cause more reads. */
const cooldownMs = 5000;
/** After a failure. */
const retryMs = 30_000;

/**
 * Reads keys in the background, so an outage of the provider does not affect known keys. A new key is read at its first
 * token.
 */
export function createKeySet(deps: KeySetDeps): KeySet {
  let published: ReadonlyMap<string, PublishedKey> = new Map();
  let isAway = false;
  let reading: Promise<void> | null = null;
  let askedAtMs = Number.NEGATIVE_INFINITY;
  const stopping = new AbortController();

  const load = async (): Promise<void> => {
    try {
      published = keepSame(published, await deps.read());
      isAway = false;
    } catch (error) {
      isAway = true;
      deps.onFailure(error);
    }
    reading = null;
  };
  const refresh = (): Promise<void> => (reading ??= load());
  /** The clock may have been set back. */
  const mayAsk = (): boolean => Math.abs(deps.clock.now() - askedAtMs) >= cooldownMs;

  const refreshForEver = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await refresh();
      const waitMs = isAway ? Math.min(retryMs, deps.refreshMs) : deps.refreshMs;
      await delay(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
    }
  };
  const running = refreshForEver();

  return {
    find: async (kid) => {
      await (published.has(kid) ? null : reading);
      if (!published.has(kid) && mayAsk()) {
        askedAtMs = deps.clock.now();
        await refresh();
      } else if (!published.has(kid)) {
        // A read in flight serves all callers that arrived meanwhile.
        await reading;
      }
      return published.get(kid) ?? (isAway ? providerIsAway() : null);
    },
    isPublished: (key) => published.get(key.kid) === key,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** Keys that stay remain the same objects, so that tokens verified with them stay verified. */
function keepSame(
  known: ReadonlyMap<string, PublishedKey>,
  read: readonly PublishedKey[],
): ReadonlyMap<string, PublishedKey> {
  return new Map(
    read.map((key) => {
      const before = known.get(key.kid);
      return [key.kid, before?.text === key.text ? before : key];
    }),
  );
}

function providerIsAway(): Problem {
  return new Problem(
    "UNAVAILABLE",
    "The identity provider does not answer, so this access token cannot be checked. Try again in a moment.",
    { headers: { "Retry-After": "5" } },
  );
}
