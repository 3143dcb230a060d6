import pg from "pg";
import { createDialGate, type DialGate } from "./dial-gate.ts";
import { readDatabaseUrl, type DatabaseAddresses, type DatabaseSession } from "@gateway/kernel";
import { destroySocket } from "./guarded-client.ts";
import { DatabaseUnavailableError } from "./is-unavailable.ts";

/** Makes the connections of a process. All dials to one address share a gate, whichever code requests them. */
export interface Dialer {
  /** A dial lasts up to `limitMs`, 10 s by default, even when its caller gives up: a starting server is slow. */
  dial(url: string, config: DialConfig, options?: DialOptions): Promise<pg.Client>;
  /** True while dials to this address wait for their turn. */
  isHeldUp(url: string): boolean;
}

export type DialConfig = Omit<pg.ClientConfig, "connectionString" | "connectionTimeoutMillis">;
type DialOptions = { signal?: AbortSignal; limitMs?: number };

export const dialLimitMs = 10_000;

export function createDialer(createGate: () => DialGate = createDialGate): Dialer {
  const ways = new Map<string, Way>();
  const wayOf = (url: string): Way => {
    const way = ways.get(url) ?? { ...readDatabaseUrl(url), gate: createGate(), lastGood: 0 };
    ways.set(url, way);
    return way;
  };
  return {
    dial: async (url, config, { signal = new AbortController().signal, limitMs = dialLimitMs } = {}) => {
      const way = wayOf(url);
      return way.gate.pass(() => dialAnyHost(way, config, { signal, limitMs }), signal);
    },
    isHeldUp: (url) => wayOf(url).gate.isShut(),
  };
}

/** `lastGood` is the index of the host that served last. */
type Way = DatabaseAddresses & { gate: DialGate; lastGood: number };

/** A host that is down, or no longer accepts writes, is tried after the others. */
async function dialAnyHost(way: Way, config: DialConfig, options: Required<DialOptions>): Promise<pg.Client> {
  const { urls, session } = way;
  const limitMs = Math.ceil(options.limitMs / urls.length);
  const first = way.lastGood;
  for (let tried = 1; ; tried += 1) {
    const index = (first + tried - 1) % urls.length;
    const ofHost = { ...config, connectionString: urls[index], connectionTimeoutMillis: limitMs };
    try {
      const client = await connect(ofHost, { signal: options.signal, limitMs, session });
      way.lastGood = index;
      return client;
    } catch (error) {
      if (tried === urls.length || options.signal.aborted) {
        throw error;
      }
    }
  }
}

type ConnectOptions = { signal: AbortSignal; limitMs: number; session: DatabaseSession };

async function connect(config: pg.ClientConfig, { signal, limitMs, session }: ConnectOptions): Promise<pg.Client> {
  const client = new pg.Client(config);
  // Users of the client add their own listener. Without one, an error before that would end the process.
  client.on("error", () => {});
  const abort = (): void => destroySocket(client);
  signal.addEventListener("abort", abort, { once: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    await client.connect();
    if (session !== "any") {
      timer = setTimeout(abort, limitMs);
      await assertSession(client, session);
    }
    return client;
  } catch (error) {
    destroySocket(client);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

const questions = {
  "read-write": "select current_setting('transaction_read_only') = 'off' as is_so",
  primary: "select not pg_is_in_recovery() as is_so",
} satisfies Record<Exclude<DatabaseSession, "any">, string>;

/** Like libpq's `target_session_attrs`: another host may meet the requirement, now or after a failover. */
async function assertSession(client: pg.Client, session: keyof typeof questions): Promise<void> {
  const { rows } = await client.query<{ is_so: boolean }>(questions[session]);
  if (!rows[0]?.is_so) {
    throw new DatabaseUnavailableError(
      `${client.host}:${client.port} is not ${session}, which target_session_attrs asks for.`,
    );
  }
}
