import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type PageWithScript = { origin: string; stop(): Promise<void> };

/** A page at an origin of its own, with `/script.js`. The API has another origin. */
export async function startPageWithScript(script: Uint8Array): Promise<PageWithScript> {
  const server = createServer((req, res) => {
    if (req.url === "/script.js") {
      res.writeHead(200, { "Content-Type": "text/javascript" }).end(script);
      return;
    }
    res.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Client</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A listening TCP server has an address of this kind.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
