import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export type LosingProxy = { url: string; lost(): number; stop(): Promise<void> };

/**
 * Forwards all requests, and cuts the connection instead of sending the responses that are to be lost. The work behind
 * them is done.
 */
export async function startLosingProxy(port: number, isLost: (req: IncomingMessage) => boolean): Promise<LosingProxy> {
  let lost = 0;
  const server = createServer((req, res) => {
    const { method, url: path, headers } = req;
    const onward = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      if (isLost(req)) {
        lost += 1;
        // The work is certainly done only when the whole response has arrived.
        answer.resume().once("end", () => res.destroy());
        return;
      }
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
    lost: () => lost,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
