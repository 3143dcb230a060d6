import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Dialer } from "./dialer.ts";
import { destroySocket } from "./guarded-client.ts";

export type ListenerHandlers = {
  onNotification(payload: string, channel: string): void;
  /** Listening (again). Notifications may have been lost before, so drop everything that they would invalidate. */
  onReady?(): void;
  /** No longer listening. Called once until the next `onReady`, and again when the connection turns out to be deaf. */
  onLost?(error: unknown): void;
};

export type Listener = {
  /** True while every notification committed more than a second ago has been handed over. */
  isHealthy(): boolean;
  close(): Promise<void>;
};

export type ListenerOptions = {
  url: string;
  /** The URL of the writers whose notifications must arrive, perhaps a pooler's. */
  writeUrl: string;
  dialer: Dialer;
  channels: readonly string[];
  handlers: ListenerHandlers;
  applicationName: string;
  /** How long a heartbeat may take to come back: half a second by default. */
  heartbeatTimeoutMs?: number;
};

/** No notification arrives over this connection, although it responds. */
export class DeafListenerError extends Error {
  override name = "DeafListenerError";

  constructor() {
    super(
      "Notifications do not reach us: DATABASE_DIRECT_URL must lead to Postgres itself, not to a pooler, and to the database of DATABASE_URL.",
    );
  }
}

/**
 * `isHealthy` compares the age of the last heartbeat at each call, so a process that was frozen knows at once. A
 * heartbeat is a notification that another connection commits, on the same path as the writers: behind a pooler a
 * response alone would show nothing. It counts from the moment it was sent, because notifications come in the order of
 * commits.
 */
const heartbeatIntervalMs = 300;
const usualHeartbeatTimeoutMs = 500;
const proofLifetimeMs = 900;
const backoffMs = [50, 100, 200, 500];
/** Each try leaves a LISTEN behind at the pooler. */
const deafBackoffMs = 5_000;

/** Reconnects without end. A notification is handed over within a second, or `isHealthy` is false within a second. */
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
  const echoChannel = `echo_${randomUUID()}`;
  let toldLost: "nothing" | "lost" | "deaf" = "nothing";
  for (let failures = 0; !closing.aborted; failures += 1) {
    let wasReady = false;
    const onReady = (): void => {
      wasReady = true;
      toldLost = "nothing";
    };
    const lost = await listenOnce({ ...options, echoChannel }, closing, onProof, onReady);
    onProof(-Infinity);
    if (closing.aborted) {
      return;
    }
    const kind = lost instanceof DeafListenerError ? "deaf" : "lost";
    if (toldLost === "nothing" || (toldLost === "lost" && kind === "deaf")) {
      toldLost = kind;
      attempt(() => options.handlers.onLost?.(lost), new AbortController());
    }
    failures = wasReady ? 0 : failures;
    await delay(waitMs(lost, failures), undefined, { signal: closing }).catch(() => {});
  }
}

function waitMs(lost: unknown, failures: number): number | undefined {
  return lost instanceof DeafListenerError ? deafBackoffMs : backoffMs[Math.min(failures, backoffMs.length - 1)];
}

/** Uses one connection, and one for its heartbeats, until either is lost. Resolves with the reason. */
async function listenOnce(
  options: ListenerOptions & { echoChannel: string },
  closing: AbortSignal,
  onProof: OnProof,
  onReady: () => void,
): Promise<unknown> {
  const { url, writeUrl, channels, echoChannel, handlers, applicationName } = options;
  const { heartbeatTimeoutMs = usualHeartbeatTimeoutMs } = options;
  const lost = new AbortController();
  const stop = AbortSignal.any([closing, lost.signal]);
  const dial = createDial(options, lost, stop);
  try {
    const [ear, mouth] = await Promise.all([
      dial(url, `${applicationName}-listener`),
      dial(writeUrl, `${applicationName}-heartbeat`),
    ]);
    const echo = createEcho({ ear, mouth, channel: echoChannel, stop, heartbeatTimeoutMs });
    ear.on("notification", ({ channel: heard, payload }) => {
      if (channels.includes(heard)) {
        attempt(() => handlers.onNotification(payload ?? "", heard), lost);
      }
    });
    // Sends nothing after this. A pooler assigns a server connection to a client that sends, and `ear` works without.
    await ear.query([...channels, echoChannel].map((name) => `listen ${pg.escapeIdentifier(name)}`).join("; "));
    await beat(echo, onProof);
    onReady();
    attempt(() => handlers.onReady?.(), lost);
    await beatUntil(stop, echo, onProof);
    return stop.reason;
  } catch (error) {
    return error;
  } finally {
    lost.abort();
  }
}

type Dial = (url: string, applicationName: string) => Promise<pg.Client>;

function createDial(
  { dialer, heartbeatTimeoutMs = usualHeartbeatTimeoutMs }: ListenerOptions,
  lost: AbortController,
  stop: AbortSignal,
): Dial {
  return async (url, applicationName) => {
    const config = { query_timeout: heartbeatTimeoutMs, application_name: applicationName };
    const client = await dialer.dial(url, config, { signal: stop });
    client.on("error", (error) => lost.abort(error));
    client.on("end", () => lost.abort(new Error("The server closed the connection.")));
    stop.addEventListener("abort", () => destroySocket(client));
    return client;
  };
}

/** Does not wait for a standby, because each try would leave a session behind that waits forever. */
const heartbeat = `select set_config('synchronous_commit', 'off', true), set_config('lock_timeout', $3, true), pg_notify($1, $2)`;

/** Resolves when a notification arrived. Rejects when it was late or the connection was lost. */
type Echo = () => Promise<void>;

type EchoOptions = { ear: pg.Client; mouth: pg.Client; channel: string; stop: AbortSignal; heartbeatTimeoutMs: number };

function createEcho({ ear, mouth, channel, stop, heartbeatTimeoutMs }: EchoOptions): Echo {
  let awaited = { token: "", heard: Promise.withResolvers<void>() };
  // The promise may have no consumer.
  awaited.heard.promise.catch(() => {});
  stop.addEventListener("abort", () => awaited.heard.reject(stop.reason));
  ear.on("notification", ({ channel: from, payload }) => {
    if (from === channel && payload === awaited.token) {
      awaited.heard.resolve();
    }
  });
  return async () => {
    const { token, heard } = (awaited = { token: randomUUID(), heard: Promise.withResolvers<void>() });
    heard.promise.catch(() => {});
    await mouth.query(heartbeat, [channel, token, `${heartbeatTimeoutMs}ms`]);
    const timer = setTimeout(() => heard.reject(new DeafListenerError()), heartbeatTimeoutMs);
    await heard.promise.finally(() => clearTimeout(timer));
  };
}

async function beatUntil(stop: AbortSignal, echo: Echo, onProof: OnProof): Promise<void> {
  while (!stop.aborted) {
    await delay(heartbeatIntervalMs, undefined, { signal: stop }).catch(() => {});
    if (!stop.aborted) {
      await beat(echo, onProof);
    }
  }
}

async function beat(echo: Echo, onProof: OnProof): Promise<void> {
  const sentAtMs = performance.now();
  await echo();
  onProof(sentAtMs);
}

/** A handler that throws may have left a cache stale: the connection counts as lost, and `onReady` clears it. */
function attempt(work: () => void, lost: AbortController): void {
  try {
    work();
  } catch (error) {
    lost.abort(error);
  }
}
