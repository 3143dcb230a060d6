import { createServer, type RequestListener } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** Listens on a free port of 127.0.0.1. */
export async function listenOnLoopback(handler: RequestListener): Promise<{ port: number }> {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address of this kind.
  return { port: (server.address() as AddressInfo).port };
}
