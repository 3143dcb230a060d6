import { isGatewayError } from "gateway-api-client";
import { callApi, faultOf, type Answered } from "./calls.ts";
import type { News, Topic } from "./concerns.ts";
import { paceFactor } from "./pace.ts";

export type FollowingOptions = {
  /** Another account is another following. */
  accountId: string;
  /** In every tab, also of what another one heard. */
  onNews(news: News): void;
  /** Nothing was heard for a while, and now it is again: anything may have happened. */
  onBack(): void;
  /** What the person may do may have changed. */
  onDoubt(): void;
  /** Nobody is signed in any more. */
  onOver(): void;
};

export interface Following {
  /** Somebody on this page shows the topic, until they call what they get. */
  want(topic: Topic): () => void;
  stop(): void;
}

/** What the tabs of a browser tell each other. `after`: the place to go on from, whoever asks next. */
type AnswerTold = { kind: "answer"; after: string; isNews: boolean } & News;
type Told = AnswerTold | { kind: "back" | "doubt" | "over" };

const operationOf = { events: "listEvents", requests: "listRequestLogs" } as const;
/** The console's own reads of the log are no news in it, or each look would be the cause of the next one. */
const queryOf = { events: {}, requests: { source: "api" } } as const;

const waitSeconds = 25;
/** Longer than an answer waits. */
const askTimeoutMs = 35_000;
/** An empty answer that comes sooner was not waited for: the gateway stops, or the person may do something else now. */
const shortestWaitMs = (waitSeconds - 1) * 1000;
/** Between answers with news, while they keep coming; and between tries that fail. */
const longestRestMs = { busy: 15_000, failing: 30_000 };
/**
 * What was recorded so shortly before following begins may be missing on a page that was read meanwhile; clocks
 * differ.
 */
const recentMs = 60_000;

/**
 * Keeps a page told of what is recorded: one request of the account waits at the gateway for each topic, of whichever
 * tab of the browser is looked at (Web Locks), and that tells the others (BroadcastChannel). A hidden tab never asks,
 * but hears. Nothing falls between two tabs that take turns: the place goes from hand to hand.
 */
export function startFollowing(options: FollowingOptions): Following {
  const name = `console ${options.accountId}`;
  const channel = new BroadcastChannel(name);
  const places = new Map<Topic, string>();
  const wanted = new Map<Topic, number>();
  const asking = new Map<Topic, AbortController>();

  const hear = (told: Told): void => {
    if (told.kind !== "answer") {
      ({ back: options.onBack, doubt: options.onDoubt, over: options.onOver })[told.kind]();
      return;
    }
    places.set(told.topic, told.after);
    if (told.isNews) {
      options.onNews({ topic: told.topic, types: told.types });
    }
  };
  const tell = (told: Told): void => {
    channel.postMessage(told);
    hear(told);
  };
  const begin = (topic: Topic): void => {
    const turn = new AbortController();
    asking.set(topic, turn);
    void withLock(`${name} ${topic}`, turn.signal, () => askOnAndOn(topic, { signal: turn.signal, places, tell }));
  };
  const settle = (): void => {
    for (const topic of ["events", "requests"] as const) {
      const mayAsk = !document.hidden && (wanted.get(topic) ?? 0) > 0;
      if (mayAsk && !asking.has(topic)) {
        begin(topic);
      } else if (!mayAsk) {
        asking.get(topic)?.abort();
        asking.delete(topic);
      }
    }
  };
  channel.addEventListener("message", ({ data }: MessageEvent<Told>) => hear(data));
  document.addEventListener("visibilitychange", settle);
  return {
    want: (topic) => {
      const change = (by: number): void => {
        wanted.set(topic, (wanted.get(topic) ?? 0) + by);
        settle();
      };
      change(1);
      return () => change(-1);
    },
    stop: () => {
      wanted.clear();
      settle();
      document.removeEventListener("visibilitychange", settle);
      channel.close();
    },
  };
}

/** One tab at a time. Without the API, on a page that is not served securely, each asks for itself. */
async function withLock(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  const locks = (navigator as { locks?: LockManager }).locks;
  try {
    await (locks ? locks.request(name, { signal }, work) : work());
  } catch (error) {
    if (!signal.aborted) {
      throw error;
    }
  }
}

type Turn = { signal: AbortSignal; places: Map<Topic, string>; tell(told: Told): void };

/** Until the turn ends, or nobody is signed in. */
async function askOnAndOn(topic: Topic, { signal, places, tell }: Turn): Promise<void> {
  let [busy, failed] = [0, 0];
  while (!signal.aborted) {
    const askedAtMs = performance.now();
    try {
      const after = places.get(topic);
      const told = await ask(topic, after, signal);
      if (failed > 0) {
        failed = 0;
        tell({ kind: "back" });
      }
      tell(told);
      const isEarly = after !== undefined && !told.isNews && performance.now() - askedAtMs < shortestWaitMs;
      if (isEarly) {
        tell({ kind: "doubt" });
      }
      busy = told.isNews || isEarly ? busy + 1 : 0;
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
        // Too old, or of the account that this browser was signed in to before.
        places.delete(topic);
      }
      if (status === 400 || status === 403) {
        tell({ kind: "doubt" });
      }
      failed += 1;
      // Of a limit, when it lets somebody in again.
      const demandedMs = isGatewayError(error) ? ((error as { retryAfterMs?: number | null }).retryAfterMs ?? 0) : 0;
      // Not all pages at once, when the gateway is back.
      await pause(Math.max(doubledMs(failed, longestRestMs.failing), demandedMs) * (1 + Math.random() / 4), signal);
    }
  }
}

/**
 * Waits for what comes behind a place. Without one it asks for the place behind what there is; what is there since a
 * moment is then news to a page that was read while it came.
 */
async function ask(topic: Topic, after: string | undefined, signal: AbortSignal): Promise<AnswerTold> {
  const place = after === undefined ? { limit: 1 } : { after, waitSeconds, limit: 100 };
  const limits = { timeoutMs: askTimeoutMs, tryTimeoutMs: askTimeoutMs, maxRetries: 0 };
  const call = { operationId: operationOf[topic], query: { ...queryOf[topic], ...place } };
  const { data, meta }: Answered<"listEvents"> | Answered<"listRequestLogs"> = await callApi(call, {
    signal,
    ...limits,
  });
  const types = new Set(data.flatMap((item) => ("type" in item ? [item.type] : [])));
  const isNews = data.some(({ id }) => after !== undefined || timeOfId(id) > Date.now() - recentMs);
  // The document says that such an answer names one.
  return { kind: "answer", topic, after: meta.after ?? "", types: [...types], isNews };
}

/** In ms since the epoch: an id begins with it, 10 characters of 5 bits. */
function timeOfId(id: string): number {
  const [start = ""] = /(?<=_).{10}/.exec(id) ?? [];
  return Array.from(start).reduce((sum, digit) => sum * 32 + "0123456789abcdefghjkmnpqrstvwxyz".indexOf(digit), 0);
}

/** Nothing, then a second, and twice as long each time. */
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
