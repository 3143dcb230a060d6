import type { Database } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import type { Closers } from "./closers.ts";
import { findDatabaseObstacle, startManagement, type ManagementDeps } from "./management.ts";
import { startServer, type RunningServer, type ServerOptions } from "./server.ts";

export type ServersOptions = ServerOptions & {
  name: string;
  /** Further public ports by name, each with a handler of its own; all else they share. */
  beside?: Readonly<Record<string, Pick<ServerOptions, "port" | "handler">>>;
  metricsPort: number;
  livemode: boolean;
  metrics: ManagementDeps["metrics"];
  /** By path, beside what every program has on the operators' port. */
  managementRoutes?: ManagementDeps["routes"];
  /** Its start ends once all ports are open. */
  database: Pick<Database<unknown>, "tryWrite" | "serve">;
  logger: Logger;
  /** Before requests under way are waited for: those that only wait can be answered. */
  onStopping?(): void;
  /** What the program is made of besides, started before. */
  closers: Closers;
};

export type RunningServers = {
  port: number;
  /** Of those beside. */
  portsBeside: Readonly<Record<string, number>>;
  metricsPort: number;
  /** Answers what is under way, for at most `deadlineMs`, then closes what the program is made of. */
  stop(deadlineMs?: number): Promise<void>;
};

/** The public ports of a program and its operators'. While it stops, it says on the latter that it is not ready. */
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

/** All of them, in their order, or none is left listening. */
async function startAll(all: [ServerOptions, ...ServerOptions[]]): Promise<[RunningServer, ...RunningServer[]]> {
  const outcomes = await Promise.allSettled(all.map(startServer));
  const started = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : []));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed) {
    await Promise.all(started.map((server) => server.stop(0)));
    throw failed.reason;
  }
  // As many as there are options.
  return started as [RunningServer, ...RunningServer[]];
}
