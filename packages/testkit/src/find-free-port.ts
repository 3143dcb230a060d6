import { randomInt } from "node:crypto";
import { createServer, type AddressInfo, type Server } from "node:net";

/**
 * A free loopback port that no other test process gets, because each process has a block of ports of its own. Prefer
 * port 0 where the server allows it.
 *
 * The ports are below those that systems assign themselves (Linux from 32768, others from 49152). Every outgoing
 * connection takes one of those for a while, so a program that starts slowly could find it in use.
 */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

/** All ports differ, because each is held until the last one is found. */
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

/** Shared by all copies of this module that this process loads. */
const ofProcess = globalThis as { testPorts?: Promise<Block> };

/**
 * Takes the ports of the block in turn. A port that was given out a moment ago may not be listened on yet, so it comes
 * again as late as possible.
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

/**
 * This process listens on the first port of its block as long as it lives, which keeps other processes from the block.
 */
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

/** Null when another process already listens on the port. */
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
