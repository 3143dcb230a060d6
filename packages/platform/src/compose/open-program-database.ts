import type { Logger } from "@gateway/kernel";
import { openPlatformDatabase, type ProgramDatabase } from "./open-platform-database.ts";

export type ProgramDatabaseConfig = {
  databaseUrl: string;
  directUrl: string | null;
  livemode: boolean;
  encryptionKeys: readonly Buffer[];
  databasePool: number | null;
};

export type ProgramDatabaseDeps = {
  name: string;
  /** The maximum unless DATABASE_POOL sets it. */
  maxConnections: number;
  connectTimeoutMs?: number;
  queryTimeoutMs?: number;
  logger: Logger;
  closers: { add(close: () => Promise<void>): void };
};

/** The database of a program, closed after everything that is started later. */
export async function openProgramDatabase(
  config: ProgramDatabaseConfig,
  { name, maxConnections, logger, closers, ...options }: ProgramDatabaseDeps,
): Promise<ProgramDatabase> {
  const database = await openPlatformDatabase({
    url: config.databaseUrl,
    directUrl: config.directUrl,
    livemode: config.livemode,
    logger,
    encryptionKeys: config.encryptionKeys,
    applicationName: name,
    maxConnections: config.databasePool ?? maxConnections,
    ...options,
  });
  closers.add(() => database.close());
  return database;
}
