import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { destroySocket } from "./guarded-client.ts";

export type ListenerHandlers = {
  onNotification(payload: string): void;
  /** Listening (again). Notifications sent before this moment may be lost: forget all that they would have invalidated. */
  onReady?(): void;
  /** Not listening any more. Called once per loss, also when the first connection fails. */
  onLost?(error: unknown): void;
};

export type Listener = {
  /** True while every notification committed more than a second ago has been handed over. */
  isHealthy(): boolean;
  close(): Promise<void>;
};

export type ListenerOptions = { url: string; channel: string; handlers: ListenerHandlers; applicationName: string };

/**
 * 300 + 500 ms: the longest that a dead connection goes unnoticed. 900 ms: how old the last proof may be. A heartbeat is
 * a proof as of the moment it was sent, because Postgres hands over pending notifications before it answers. The age is
 * compared at each call of `isHealthy`, so a process that was itself frozen knows at its first request.
 */
const heartbeatIntervalMs = 300;
const heartbeatTimeoutMs = 500;
const proofLifetimeMs = 900;
const connectTimeoutMs = 1_000;
const backoffMs = [50, 100, 200, 500];

/**
 * Listens on a channel over a connection of its own, for ever: it reconnects by itself and never throws. A notification
 * is either handed over within a second, or `isHealthy` is false within a second: a frozen server, a killed backend and a
 * dropped network included.
 */
export function startListener(options: ListenerOptions): Listener {
  const closing = new AbortController();
  let provenAtMs = -Infinity;
  const onProof = (sentAtMs: number): void => {
    provenAtMs = sentAtMs;
  };
  const running = listenForever(options, closing.signal, onProof);
  return {
    isHealthy: () => performance.now() - provenAtMs < proofLifetimeMs,
    close: async () => {
      provenAtMs = -Infinity;
      closing.abort();
      await running;
    },
  };
}

type OnProof = (sentAtMs: number) => void;

async function listenForever(options: ListenerOptions, closing: AbortSignal, onProof: OnProof): Promise<void> {
  for (let failures = 0; !closing.aborted; failures += 1) {
    let wasReady = false;
    const lost = await listenOnce(options, closing, onProof, () => (wasReady = true));
    onProof(-Infinity);
    if (closing.aborted) {
      return;
    }
    attempt(() => options.handlers.onLost?.(lost), new AbortController());
    failures = wasReady ? 0 : failures;
    await delay(backoffMs[Math.min(failures, backoffMs.length - 1)], undefined, { signal: closing }).catch(() => {});
  }
}

/** One connection from dialling to its loss; resolves with the reason. */
async function listenOnce(
  { url, channel, handlers, applicationName }: ListenerOptions,
  closing: AbortSignal,
  onProof: OnProof,
  onReady: () => void,
): Promise<unknown> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: heartbeatTimeoutMs,
    application_name: applicationName,
  });
  const lost = new AbortController();
  const stop = AbortSignal.any([closing, lost.signal]);
  client.on("error", (error) => lost.abort(error));
  client.on("end", () => lost.abort(new Error("The server closed the connection.")));
  client.on("notification", ({ payload }) => attempt(() => handlers.onNotification(payload ?? ""), lost));
  try {
    await client.connect();
    await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    await beat(client, onProof);
    onReady();
    attempt(() => handlers.onReady?.(), lost);
    await beatUntil(stop, client, onProof);
    return stop.reason;
  } catch (error) {
    return error;
  } finally {
    destroySocket(client);
  }
}

async function beatUntil(stop: AbortSignal, client: pg.Client, onProof: OnProof): Promise<void> {
  while (!stop.aborted) {
    await delay(heartbeatIntervalMs, undefined, { signal: stop }).catch(() => {});
    if (!stop.aborted) {
      await beat(client, onProof);
    }
  }
}

async function beat(client: pg.Client, onProof: OnProof): Promise<void> {
  const sentAtMs = performance.now();
  await client.query("select 1");
  onProof(sentAtMs);
}

/** A handler that throws may have left a cache stale: the connection counts as lost, and the next `onReady` clears it. */
function attempt(work: () => void, lost: AbortController): void {
  try {
    work();
  } catch (error) {
    lost.abort(error);
  }
}
