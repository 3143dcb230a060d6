import { Problem } from "@gateway/contract";
import { eventsRecordedChannel, requestsLoggedChannel, type Followers } from "@gateway/engine/following";
import { createWakeSignal } from "@gateway/process";
import { LRUCache } from "lru-cache";

export type Wait<Page> = {
  /** Channel on which the database reports that something was recorded for an account. */
  channel: string;
  accountId: string;
  /** Pages of the console do not use up the places of programs. */
  from: keyof typeof maxWaitersOfAccount;
  seconds: number;
  read(): Promise<Page>;
  isEnough(page: Page): boolean;
  /** Throws when the caller may no longer get a response. `isOther`: the caller's permission has changed. */
  recheck(): Promise<{ isOther: boolean }>;
  /** Aborts when the caller has disconnected. */
  signal: AbortSignal;
  /** Called with the time in which the request only waited. */
  onWaited(durationMs: number): void;
};

/** Requests that wait until something is recorded. None holds a connection to the database. */
export interface Waiters {
  /** Channels to listen to. */
  readonly channels: readonly string[];
  /**
   * Resolves with the last page of `read`: when it is enough, the time has passed, or the caller has disconnected or
   * changed. The caller is checked again before the response. Refuses with 429 when the account already has the maximum
   * number of waiting requests.
   */
  until<Page>(wait: Wait<Page>): Promise<Page>;
  wake(channel: string, accountId: string): void;
  /** A credential of an account was changed. */
  wakeAccount(accountId: string): void;
  wakeAll(): void;
  count(): number;
  /** Ends all waits with the pages that they have. No request waits after that. */
  stop(): void;
}

export type WaitersDeps = {
  following: Pick<Followers, "register">;
  /** Whether notifications are received within a second. */
  isListening(): boolean;
  /** False: only a notification or the end of its time makes a waiter look again, for tests. */
  hasNet?: boolean;
};

/**
 * Maximum per process. The console has one or two topics for each person who looks at it, with many browsers (ADR 67).
 */
export const maxWaitersOfAccount = { api: 20, console: 60 } as const;

/**
 * A transaction in flight may not know of a new waiter, so the waiter looks again soon. The change that woke it is
 * visible when all earlier transactions have ended. A look now and then makes up for a lost notification.
 */
const firstPauseMs = 250;
const wokenPauseMs = 20;
const longestPauseMs = 5_000;
/** Interval while notifications are not received. */
const deafPauseMs = 1_000;
/** Shorter than the time after which the database forgets a waiter. */
const registerAgainMs = 30_000;

type Waiter = Pick<Wait<unknown>, "channel" | "accountId" | "from"> & { wake(): void };

export function createWaiters({ following, isListening, hasNet = true }: WaitersDeps): Waiters {
  const places = createPlaces();
  const registered = new LRUCache<string, true>({ max: 10_000, ttl: registerAgainMs });
  let isStopping = false;

  const register = async ({ channel, accountId }: Pick<Waiter, "channel" | "accountId">): Promise<void> => {
    const name = `${channel} ${accountId}`;
    if (!registered.has(name)) {
      await following.register(channel, accountId);
      registered.set(name, true);
    }
  };
  const waitFor = async <Page>(wait: Wait<Page>, found: Page, signal: WokenSignal): Promise<Page> => {
    const endsAtMs = performance.now() + wait.seconds * 1000;
    let page = found;
    for (let pauseMs = hasNet ? firstPauseMs : Infinity; ;) {
      const startedAtMs = performance.now();
      const longestMs = isListening() ? (hasNet ? longestPauseMs : Infinity) : deafPauseMs;
      const wasWoken = await signal.wait(Math.min(pauseMs, longestMs, endsAtMs - startedAtMs));
      wait.onWaited(performance.now() - startedAtMs);
      const { isOther } = await wait.recheck();
      if (isStopping || wait.signal.aborted || isOther) {
        return page;
      }
      page = await wait.read();
      if (wait.isEnough(page) || performance.now() >= endsAtMs) {
        await wait.recheck();
        return page;
      }
      pauseMs = wasWoken ? wokenPauseMs : 2 * pauseMs;
    }
  };

  return {
    channels: [eventsRecordedChannel, requestsLoggedChannel],
    until: async (wait) => {
      const found = await wait.read();
      if (wait.isEnough(found) || wait.seconds === 0 || isStopping) {
        return found;
      }
      const signal = createWokenSignal();
      const { channel, accountId, from } = wait;
      const leave = places.enter({ channel, accountId, from, wake: signal.wake });
      wait.signal.addEventListener("abort", signal.wake);
      // A caller who disconnected earlier causes no abort event.
      if (wait.signal.aborted) {
        signal.wake();
      }
      try {
        await register(wait);
        return await waitFor(wait, found, signal);
      } finally {
        wait.signal.removeEventListener("abort", signal.wake);
        leave();
      }
    },
    wake: (channel, accountId) => wakeThose(places.of(accountId).filter((waiter) => waiter.channel === channel)),
    wakeAccount: (accountId) => wakeThose(places.of(accountId)),
    wakeAll: () => {
      // Postgres may have forgotten the waiters.
      registered.clear();
      wakeThose(places.all());
    },
    count: () => places.all().length,
    stop: () => {
      isStopping = true;
      wakeThose(places.all());
    },
  };
}

function wakeThose(waiters: readonly Waiter[]): void {
  waiters.forEach((waiter) => waiter.wake());
}

type Places = {
  /**
   * Returns the function that removes the waiter. Refuses with 429 when the account has the maximum number of waiters.
   */
  enter(waiter: Waiter): () => void;
  of(accountId: string): Waiter[];
  all(): Waiter[];
};

function createPlaces(): Places {
  const byAccount = new Map<string, Set<Waiter>>();
  const of = (accountId: string): Waiter[] => [...(byAccount.get(accountId) ?? [])];
  return {
    enter: (waiter) => {
      const { accountId, from } = waiter;
      const most = maxWaitersOfAccount[from];
      if (of(accountId).filter((other) => other.from === from).length >= most) {
        throw tooManyWaiters(most);
      }
      const own = byAccount.get(accountId) ?? new Set();
      byAccount.set(accountId, own.add(waiter));
      return () => {
        own.delete(waiter);
        if (own.size === 0) {
          byAccount.delete(accountId);
        }
      };
    },
    of,
    all: () => [...byAccount.keys()].flatMap(of),
  };
}

type WokenSignal = { wake(): void; wait(timeoutMs: number): Promise<boolean> };

/** Reports whether it was woken, or only waited. */
function createWokenSignal(): WokenSignal {
  const signal = createWakeSignal();
  let isWoken = false;
  return {
    wake: () => {
      isWoken = true;
      signal.wake();
    },
    wait: async (timeoutMs) => {
      await signal.wait(Math.max(0, timeoutMs));
      const wasWoken = isWoken;
      isWoken = false;
      return wasWoken;
    },
  };
}

function tooManyWaiters(most: number): Problem {
  return new Problem(
    "RATE_LIMITED",
    `${most} requests of this account are already waiting, which is the maximum. Leave out waitSeconds, or wait until one of them ends.`,
    { headers: { "Retry-After": "1" } },
  );
}
