import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { DispatcherMetrics } from "./metrics.ts";

export type ManagementDeps = {
  metrics: Pick<DispatcherMetrics, "render" | "contentType">;
  /** Resolves to what keeps this process from working, or null when it is ready. */
  findObstacle(): Promise<string | null>;
};

export type ManagementServer = { port: number; stop(): Promise<void> };

/** For operators, on a port that is not published: `/livez`, `/readyz` and `/metrics`. Rejects when the port is taken. */
export async function startManagement(
  { host, port }: { host: string; port: number },
  deps: ManagementDeps,
): Promise<ManagementServer> {
  const server = createServer({ requestTimeout: 10_000 }, createHandler(deps));
  await listen(server, host, port);
  return {
    // A listening TCP server has an address of this kind.
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function createHandler(deps: ManagementDeps): RequestListener {
  return async (req, res) => {
    try {
      const { status, type, body } = await answer(deps, req.url ?? "");
      res.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(body);
    } catch {
      res.writeHead(500, { "Content-Type": "text/plain" }).end("The metrics could not be collected.\n");
    }
  };
}

type ManagementAnswer = { status: number; type: string; body: string };

async function answer({ metrics, findObstacle }: ManagementDeps, path: string): Promise<ManagementAnswer> {
  const text = (status: number, line: string): ManagementAnswer => ({ status, type: "text/plain", body: `${line}\n` });
  switch (path) {
    case "/livez":
      return text(200, "ok");
    case "/readyz": {
      const obstacle = await findObstacle();
      return obstacle === null ? text(200, "ok") : text(503, obstacle);
    }
    case "/metrics":
      return { status: 200, type: metrics.contentType, body: await metrics.render() };
    default:
      return text(404, "There are /livez, /readyz and /metrics here.");
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}
