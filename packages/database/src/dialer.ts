import pg from "pg";
import { createDialGate, type DialGate } from "./dial-gate.ts";
import { destroySocket } from "./guarded-client.ts";

/** Makes the connections of a process. All dials to one address share a gate, whoever asks for them. */
export interface Dialer {
  /**
   * A client that is connected. The dial goes on for `limitMs`, 10 s unless given, whoever waits for it: a server that starts answers
   * late, and a dial that is given up costs it as much as one that is answered.
   */
  dial(url: string, config: DialConfig, options?: DialOptions): Promise<pg.Client>;
  /** True while dials to this address wait for their turn. */
  isHeldUp(url: string): boolean;
}

export type DialConfig = Omit<pg.ClientConfig, "connectionString" | "connectionTimeoutMillis">;
export type DialOptions = { signal?: AbortSignal; limitMs?: number };

export const dialLimitMs = 10_000;

export function createDialer(createGate: () => DialGate = createDialGate): Dialer {
  const gates = new Map<string, DialGate>();
  const gateOf = (url: string): DialGate => {
    const gate = gates.get(url) ?? createGate();
    gates.set(url, gate);
    return gate;
  };
  return {
    dial: (url, config, { signal = new AbortController().signal, limitMs = dialLimitMs } = {}) => {
      const clientConfig = { ...config, connectionString: url, connectionTimeoutMillis: limitMs };
      return gateOf(url).pass(() => connect(clientConfig, signal), signal);
    },
    isHeldUp: (url) => gateOf(url).isShut(),
  };
}

async function connect(config: pg.ClientConfig, signal: AbortSignal): Promise<pg.Client> {
  const client = new pg.Client(config);
  // Whoever uses it listens for itself; without a listener an error in between would end the process.
  client.on("error", () => {});
  const abort = (): void => destroySocket(client);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await client.connect();
    return client;
  } catch (error) {
    destroySocket(client);
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
