import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** A loopback port that nobody listens on. Somebody may take it before you do: prefer port 0 where the server allows it. */
export async function findFreePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", resolve);
  });
  // A listening TCP server has an address of this kind.
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
