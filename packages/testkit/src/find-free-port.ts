import { randomInt } from "node:crypto";
import { createServer, type AddressInfo, type Server } from "node:net";

/**
 * A loopback port that nobody listens on, and that no other process of tests is given: each has a block of them of its
 * own. Prefer port 0 where the server allows it.
 *
 * It lies below what systems hand out by themselves (Linux from 32768 on, others from 49152 on), for a program that
 * takes long to start would find such a one gone: every call that anybody makes takes one for a while.
 */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

/** Each another one: all are held until the last is found. */
export async function findFreePorts(count: number): Promise<number[]> {
  const probes: Server[] = [];
  while (probes.length < count) {
    probes.push(await holdPort());
  }
  // A listening TCP server has an address of this kind.
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

const range = { from: 12_000, blocks: 100, blockSize: 200 };

type Block = { first: number; given: number };

/** Of this process, however often this module is loaded in it. */
const ofProcess = globalThis as { testPorts?: Promise<Block> };

/**
 * The next of the block: what was given a moment ago may not be listened on yet, so it comes again as late as can be.
 */
async function holdPort(): Promise<Server> {
  const block = await (ofProcess.testPorts ??= claimBlock());
  for (;;) {
    block.given += 1;
    const probe = await listen(block.first + 1 + (block.given % (range.blockSize - 1)));
    if (probe !== null) {
      return probe;
    }
  }
}

/** Its first port is listened on for as long as this process lives, which keeps others from the rest. */
async function claimBlock(): Promise<Block> {
  for (;;) {
    const first = range.from + range.blockSize * randomInt(range.blocks);
    const guard = await listen(first);
    if (guard !== null) {
      guard.unref();
      return { first, given: 0 };
    }
  }
}

/** Null where somebody listens already. */
async function listen(port: number): Promise<Server | null> {
  const server = createServer();
  const fault = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    server.once("error", resolve);
    server.listen(port, "127.0.0.1", () => resolve(null));
  });
  if (fault !== null && fault.code !== "EADDRINUSE") {
    throw fault;
  }
  return fault === null ? server : null;
}
