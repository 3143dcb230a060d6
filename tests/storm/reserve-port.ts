import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

export type ReservedPort = {
  port: number;
  /** Others may have it from now on. */
  release(): Promise<void>;
};

/** In pairs, below those that `findFreePort` looks through: who finds a free one there finds none of these. */
const range = { from: 10_000, pairs: 1_000 };

/**
 * A loopback port for a program that is killed and comes back: nobody gets it meanwhile. Any number of storms run at
 * once, so each port is a pair: the odd one is listened on until it is released, and whoever cannot have that leaves
 * the even one alone.
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

/** Null where somebody else listens. */
function listen(port: number): Promise<Server | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

/** Resolves also when it was closed before. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
