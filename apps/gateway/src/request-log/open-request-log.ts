import type { Clock, Logger } from "@gateway/kernel";
import type { ProgramDatabase } from "@gateway/platform/compose/open-platform-database";
import type { Platform } from "@gateway/platform/compose/platform";
import { createRequestLogWriters } from "@gateway/platform/request-log";
import type { GatewayMetrics } from "../metrics.ts";
import { createRequestLogWriter, type RequestLogWriter } from "./request-log-writer.ts";

export type OpenRequestLogDeps = {
  database: Pick<ProgramDatabase, "openApart">;
  platform: Pick<Platform, "requestLog">;
  clock: Clock;
  logger: Logger;
  metrics: Pick<GatewayMetrics, "requestsLogged" | "requestsNotLogged">;
  closers: { add(close: () => Promise<void>): void };
};

/**
 * Writes over its own connection, so that requests do not wait for the log, nor the log for them. Its closers write the
 * rest.
 */
export async function openRequestLog({
  database,
  platform,
  clock,
  logger,
  metrics,
  closers,
}: OpenRequestLogDeps): Promise<RequestLogWriter> {
  const apart = database.openApart({
    applicationName: "gateway-request-log",
    maxConnections: 1,
    queryTimeoutMs: 4_000,
  });
  closers.add(() => apart.close());
  const writer = createRequestLogWriter({
    writers: createRequestLogWriters(apart.kysely, { clock }),
    createPartitions: () => platform.requestLog.retention.createPartitions(),
    clock,
    logger,
    onWritten: metrics.requestsLogged,
    onLost: metrics.requestsNotLogged,
  });
  closers.add(() => writer.stop());
  await writer.announce();
  return writer;
}
