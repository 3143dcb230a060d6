import { RateLimitError } from "gateway-api-client";
import { callApi, faultOf, type Answered } from "./calls.ts";
import type { Topic } from "./concerns.ts";
import { paceFactor } from "./pace.ts";

export type Told = {
  /**
   * `back`: following works again after a failure, so anything may have happened. `doubt`: the person's permission may
   * have changed. `over`: no user is signed in.
   */
  kind: "news" | "none" | "back" | "doubt" | "over";
  /** The types of the events, each once; a request has none. */
  types?: readonly string[];
  /** The place from which the next request continues. */
  after?: string;
};

const operationOf = { events: "listEvents", requests: "listRequestLogs" } as const;
/** Leaves out the console's own reads of the log, because each read would otherwise cause the next one. */
const queryOf = { events: {}, requests: { source: "api" } } as const;

const waitSeconds = 25;
/** Longer than the gateway holds a request. */
const askTimeoutMs = 35_000;
/** An empty response that comes sooner did not wait: the gateway stops, or the person's permission has changed. */
const shortestWaitMs = (waitSeconds - 1) * 1000;
/** Pauses between responses with news while they keep coming, and between attempts that fail. */
const longestRestMs = { busy: 15_000, failing: 30_000 };
/** Rows recorded this shortly before following begins may be missing on the page, because clocks differ. */
const recentMs = 60_000;

type FollowOptions = { accountId: string; topic: Topic; hear(told: Told): void };

/**
 * Calls `hear` for everything that is recorded, until the returned function is called. One request waits at the
 * gateway, in one of the visible tabs (Web Locks). That tab notifies the others (BroadcastChannel), and its successor
 * continues from its place. A hidden tab never sends a request, but it receives the news.
 */
export function follow({ accountId, topic, hear }: FollowOptions): () => void {
  const name = `console ${accountId} ${topic}`;
  const channel = new BroadcastChannel(name);
  const place: Place = {};
  let turn: AbortController | null = null;
  const onTold = (told: Told): void => {
    place.after = told.after ?? place.after;
    hear(told);
  };
  const tell = (told: Told): void => {
    channel.postMessage(told);
    onTold(told);
  };
  const settle = (): void => {
    if (document.hidden) {
      turn?.abort();
      turn = null;
    } else if (turn === null) {
      turn = new AbortController();
      const { signal } = turn;
      void withLock(name, signal, () => askOnAndOn(topic, { signal, place, tell }));
    }
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Told>) => onTold(data));
  document.addEventListener("visibilitychange", settle);
  settle();
  return () => {
    turn?.abort();
    document.removeEventListener("visibilitychange", settle);
    channel.close();
  };
}

/** Runs `work` in one tab at a time. Without the API, on a page that is not served securely, each tab runs it. */
async function withLock(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  // The browser's types say that every page has it. A page that is not served securely lacks it.
  const locks = (navigator as { locks?: LockManager }).locks;
  try {
    await (locks ? locks.request(name, { signal }, work) : work());
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}

type Place = { after?: string | undefined };
type Turn = { signal: AbortSignal; place: Place; tell(told: Told): void };

/** Follows until the turn ends, or until no user is signed in. */
async function askOnAndOn(topic: Topic, { signal, place, tell }: Turn): Promise<void> {
  let [busy, failed] = [0, 0];
  while (!signal.aborted) {
    const askedAtMs = performance.now();
    const isWait = place.after !== undefined;
    try {
      const told = await ask(topic, place.after, signal);
      if (failed > 0) {
        failed = 0;
        tell({ kind: "back" });
      }
      tell(told);
      const isEarly = isWait && told.kind === "none" && performance.now() - askedAtMs < shortestWaitMs;
      if (isEarly) {
        tell({ kind: "doubt" });
      }
      busy = told.kind === "news" || isEarly ? busy + 1 : 0;
      await pause(doubledMs(busy, longestRestMs.busy) * paceFactor(), signal);
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      const { code, status } = faultOf(error);
      if (code === "UNAUTHENTICATED") {
        tell({ kind: "over" });
        return;
      }
      if (status === 400) {
        // The place is too old, or belongs to the account that this browser was signed in to before.
        place.after = undefined;
      }
      if (status === 400 || status === 403) {
        tell({ kind: "doubt" });
      }
      failed += 1;
      const demandedMs = error instanceof RateLimitError ? (error.retryAfterMs ?? 0) : 0;
      // The random share keeps all pages from asking at once when the gateway is back.
      await pause(Math.max(doubledMs(failed, longestRestMs.failing), demandedMs) * (1 + Math.random() / 4), signal);
    }
  }
}

/**
 * Waits for rows after a place. Without a place, it requests the newest one. A row from moments ago then counts as
 * news, because the page may have been read before the row was recorded.
 */
async function ask(topic: Topic, after: string | undefined, signal: AbortSignal): Promise<Told> {
  const place = after === undefined ? { limit: 1 } : { after, waitSeconds, limit: 100 };
  const call = { operationId: operationOf[topic], query: { ...queryOf[topic], ...place } };
  const limits = { timeoutMs: askTimeoutMs, tryTimeoutMs: askTimeoutMs, maxRetries: 0 };
  const { data, meta }: Answered<"listEvents" | "listRequestLogs"> = await callApi(call, { signal, ...limits });
  const types = new Set(data.flatMap((item) => ("type" in item ? [item.type] : [])));
  const isNews = data.some(({ id }) => after !== undefined || timeOfId(id) > Date.now() - recentMs);
  return { kind: isNews ? "news" : "none", types: [...types], after: meta.after ?? "" };
}

/** The time of an id in ms since the epoch, from its first 10 characters of 5 bits each. */
function timeOfId(id: string): number {
  const [start = ""] = /(?<=_).{10}/.exec(id) ?? [];
  return Array.from(start).reduce((sum, digit) => sum * 32 + "0123456789abcdefghjkmnpqrstvwxyz".indexOf(digit), 0);
}

/** Zero at first, then a second, and twice as long each time. */
function doubledMs(times: number, longestMs: number): number {
  return times === 0 ? 0 : Math.min(500 * 2 ** times, longestMs);
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, durationMs);
    signal.addEventListener("abort", done);
  });
}
