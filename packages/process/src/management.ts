import type { RequestListener } from "node:http";
import { type Database, isUnwritable } from "@gateway/database";
import { startServer } from "./server.ts";

export type ManagementDeps = {
  metrics: {
    /** Prometheus text exposition format 0.0.4. */
    render(): Promise<string>;
    contentType: string;
  };
  /** Resolves to the reason why this process cannot work, or null when it is ready. */
  findObstacle(): Promise<string | null>;
  /** Further routes of the program, by path. */
  routes?: Readonly<Record<string, RequestListener>> | undefined;
};

export type ManagementServer = { port: number; stop(): Promise<void> };

/** A scrape takes less, and a silent probe does not delay the stop. */
const stopMs = 1000;

/** Serves `/livez`, `/readyz` (send it traffic) and `/metrics` on a separate port. Rejects when the port is taken. */
export async function startManagement(
  { host, port }: { host: string; port: number },
  deps: ManagementDeps,
): Promise<ManagementServer> {
  const server = await startServer({ host, port, handler: createHandler(deps) });
  return { port: server.port, stop: () => server.stop(stopMs) };
}

/** For `findObstacle` of a process that needs only its database. */
export async function findDatabaseObstacle(database: Pick<Database<unknown>, "tryWrite">): Promise<string | null> {
  try {
    await database.tryWrite();
    return null;
  } catch (error) {
    return isUnwritable(error) ? "the database takes no writes" : "the database does not answer";
  }
}

function createHandler(deps: ManagementDeps): RequestListener {
  return async (req, res) => {
    const route = deps.routes?.[req.url ?? ""];
    if (route) {
      route(req, res);
      return;
    }
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
  switch (path) {
    case "/livez":
      return inText(200, "ok");
    case "/readyz": {
      const obstacle = await findObstacle();
      return obstacle === null ? inText(200, "ok") : inText(503, obstacle);
    }
    case "/metrics":
      return { status: 200, type: metrics.contentType, body: await metrics.render() };
    default:
      return inText(404, "There are /livez, /readyz and /metrics here.");
  }
}

function inText(status: number, line: string): ManagementAnswer {
  return { status, type: "text/plain", body: `${line}\n` };
}
