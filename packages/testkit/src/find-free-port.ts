import { createServer, type AddressInfo, type Server } from "node:net";

/** A loopback port that nobody listens on. Somebody may take it before you do: prefer port 0 where the server allows it. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1);
  return port;
}

/** Each another one: all are held until the last is found. */
export async function findFreePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(Array.from({ length: count }, listen));
  // A listening TCP server has an address of this kind.
  const ports = probes.map((probe) => (probe.address() as AddressInfo).port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}

async function listen(): Promise<Server> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", resolve);
  });
  return probe;
}
