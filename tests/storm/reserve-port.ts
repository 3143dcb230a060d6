import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

export type ReservedPort = {
  port: number;
  /** Other processes may use the port afterwards. */
  release(): Promise<void>;
};

/** Ports in pairs, below the range of `findFreePort`, so the two never choose the same port. */
const range = { from: 10_000, pairs: 1_000 };

/**
 * Reserves a loopback port for a program that is killed and comes back, so that no other storm takes it meanwhile. Any
 * number of storms run concurrently, so each port is a pair. The odd port is listened on until the release. A storm
 * that cannot listen on it leaves the even one alone.
 */
export async function reservePort(): Promise<ReservedPort> {
  for (;;) {
    const port = range.from + 2 * randomInt(range.pairs);
    const guard = await listen(port + 1);
    const probe = guard && (await listen(port));
    if (guard && probe) {
      await close(probe);
      return { port, release: () => close(guard) };
    }
    if (guard) {
      await close(guard);
    }
  }
}

/** Null when another process listens on the port. */
function listen(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

/** Resolves even when the server was closed before. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
