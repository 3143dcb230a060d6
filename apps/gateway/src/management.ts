import type { RequestListener } from "node:http";
import type { Metrics } from "./metrics.ts";

export type ManagementDeps = {
  metrics: Metrics;
  /** Resolves to what keeps this process from serving, or null when it is ready. */
  findObstacle(): Promise<string | null>;
};

/**
 * For operators, on a port of its own that is not published: `/livez` (the process runs), `/readyz` (it can serve: send it
 * traffic) and `/metrics`.
 */
export function createManagementApp(deps: ManagementDeps): RequestListener {
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

async function answer(deps: ManagementDeps, path: string): Promise<ManagementAnswer> {
  switch (path) {
    case "/livez":
      return { status: 200, type: "text/plain", body: "ok\n" };
    case "/readyz": {
      const obstacle = await deps.findObstacle();
      return obstacle
        ? { status: 503, type: "text/plain", body: `${obstacle}\n` }
        : { status: 200, type: "text/plain", body: "ok\n" };
    }
    case "/metrics":
      return { status: 200, type: deps.metrics.contentType, body: await deps.metrics.render() };
    default:
      return { status: 404, type: "text/plain", body: "There are /livez, /readyz and /metrics here.\n" };
  }
}
