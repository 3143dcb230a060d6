import { randomInt } from "node:crypto";
import { createServer, type AddressInfo, type Server } from "node:net";

/**
 * A loopback port that nobody listens on. Somebody may take it before you do: prefer port 0 where the server allows it.
 *
 * It lies below what systems hand out by themselves (Linux from 32768 on, others from 49152 on), for a program that takes long to
 * start would find such a one gone: every call that anybody makes takes one for a while.
 */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

/** Each another one: all are held until the last is found. */
export async function findFreePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(Array.from({ length: count }, holdPort));
  // A listening TCP server has an address of this kind.
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

const range = { from: 12_000, below: 32_000 };

/** Any of them, so that those who look at the same time find different ones. */
async function holdPort(): Promise<Server> {
  for (;;) {
    const probe = createServer();
    const fault = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
      probe.once("error", resolve);
      probe.listen(randomInt(range.from, range.below), "127.0.0.1", () => resolve(null));
    });
    if (fault === null) {
      return probe;
    }
    if (fault.code !== "EADDRINUSE") {
      throw fault;
    }
  }
}
