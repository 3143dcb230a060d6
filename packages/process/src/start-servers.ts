import type { Database } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import type { Closers } from "./closers.ts";
import { findDatabaseObstacle, startManagement, type ManagementDeps } from "./management.ts";
import { startServer, type ServerOptions } from "./server.ts";

export type ServersOptions = ServerOptions & {
  /** For the log. */
  name: string;
  metricsPort: number;
  livemode: boolean;
  metrics: ManagementDeps["metrics"];
  database: Pick<Database<unknown>, "tryWrite">;
  logger: Logger;
  /** What the program is made of besides, started before. */
  closers: Closers;
};

export type RunningServers = {
  port: number;
  metricsPort: number;
  /** Answers what is under way, for at most `deadlineMs`, then closes what the program is made of. */
  stop(deadlineMs?: number): Promise<void>;
};

/** The public port of a program and its operators'. While it stops, it says on the latter that it is not ready. */
export async function startServers(options: ServersOptions): Promise<RunningServers> {
  const { name, host, metricsPort, livemode, metrics, database, logger, closers } = options;
  let isStopping = false;
  const management = await startManagement(
    { host, port: metricsPort },
    { metrics, findObstacle: async () => (isStopping ? "stopping" : findDatabaseObstacle(database)) },
  );
  closers.add(() => management.stop());
  const server = await startServer(options);
  logger.info({ port: server.port, metricsPort: management.port, livemode }, `${name} listens`);
  return {
    port: server.port,
    metricsPort: management.port,
    stop: async (deadlineMs = 10_000) => {
      isStopping = true;
      await server.stop(deadlineMs);
      await closers.closeAll();
      logger.info(`${name} stopped`);
    },
  };
}
