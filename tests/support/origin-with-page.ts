import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

export type OriginWithPage = { url: string; stop(): Promise<void> };

/**
 * One origin for a page with a script and for the API behind it: the gateway sends no CORS headers, so a browser calls it through a
 * server of the page's own.
 */
export async function startOriginWithPage(port: number, script: Uint8Array): Promise<OriginWithPage> {
  const server = createServer((req, res) => {
    if (req.url === "/script.js") {
      res.writeHead(200, { "Content-Type": "text/javascript" }).end(script);
      return;
    }
    if (!req.url?.startsWith("/api/")) {
      res.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>Client</title>");
      return;
    }
    const { method, url: path, headers } = req;
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(res);
    });
    req.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    // A listening TCP server has an address of this kind.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
