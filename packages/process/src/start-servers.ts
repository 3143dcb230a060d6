import type { Database } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import type { Closers } from "./closers.ts";
import { findDatabaseObstacle, startManagement, type ManagementDeps } from "./management.ts";
import { startServer, type RunningServer, type ServerOptions } from "./server.ts";

export type ServersOptions = ServerOptions & {
  name: string;
  /** Further public ports by name, each with a handler of its own. They share everything else. */
  beside?: Readonly<Record<string, Pick<ServerOptions, "port" | "handler">>>;
  metricsPort: number;
  livemode: boolean;
  metrics: ManagementDeps["metrics"];
  /** Additional routes on the operators' port, by path. */
  managementRoutes?: ManagementDeps["routes"];
  /** The database's start ends once all ports are open. */
  database: Pick<Database<unknown>, "tryWrite" | "serve">;
  logger: Logger;
  /** Called before the stop waits for requests in flight, so that long polls can be completed. */
  onStopping?(): void;
  /** Closers of the program's other parts, which were started before. */
  closers: Closers;
};

export type RunningServers = {
  port: number;
  /** The ports of `beside`, by name. */
  portsBeside: Readonly<Record<string, number>>;
  metricsPort: number;
  /** Completes requests in flight for at most `deadlineMs`, then closes the program's parts. */
  stop(deadlineMs?: number): Promise<void>;
};

/** Opens the public ports of a program and its operators' port. During a stop, the latter reports it as not ready. */
export async function startServers(options: ServersOptions): Promise<RunningServers> {
  const { name, host, metricsPort, livemode, metrics, database, logger, closers, beside = {} } = options;
  let isStopping = false;
  const management = await startManagement(
    { host, port: metricsPort },
    {
      metrics,
      findObstacle: async () => (isStopping ? "stopping" : findDatabaseObstacle(database)),
      routes: options.managementRoutes,
    },
  );
  closers.add(() => management.stop());
  const others = Object.values(beside).map((own) => ({ ...options, ...own }));
  const [server, ...further] = await startAll([options, ...others]);
  const portsBeside = Object.fromEntries(Object.keys(beside).map((key, index) => [key, further[index]?.port ?? 0]));
  database.serve();
  logger.info({ port: server.port, ...portsBeside, metricsPort: management.port, livemode }, `${name} listens`);
  return {
    port: server.port,
    portsBeside,
    metricsPort: management.port,
    stop: async (deadlineMs = 10_000) => {
      isStopping = true;
      options.onStopping?.();
      await Promise.all([server, ...further].map((one) => one.stop(deadlineMs)));
      await closers.closeAll();
      logger.info(`${name} stopped`);
    },
  };
}

/** Starts all of them, in their order, or leaves none listening. */
async function startAll(all: [ServerOptions, ...ServerOptions[]]): Promise<[RunningServer, ...RunningServer[]]> {
  const outcomes = await Promise.allSettled(all.map(startServer));
  const started = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) {
    await Promise.all(started.map((server) => server.stop(0)));
    throw failed.reason;
  }
  // There is a server for each of the options.
  return started as [RunningServer, ...RunningServer[]];
}
