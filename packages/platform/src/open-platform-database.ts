import { migrate, openDatabase, type OpenDatabaseOptions } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import { claimDeployment } from "./claim-deployment.ts";
import { startDatabaseClock, type DatabaseClock } from "./database-clock.ts";
import { migrations } from "./migrations/index.ts";
import type { PlatformDatabase, Schema } from "./platform.ts";

/** A program's database, and the time that counts there. */
export type ProgramDatabase = PlatformDatabase & { clock: DatabaseClock };

/**
 * As a program needs it: at the newest migration, and of the program's own environment. Rejects with nothing left open; a database of the
 * other environment is a ConfigurationError.
 */
export async function openPlatformDatabase({
  livemode,
  logger,
  ...options
}: OpenDatabaseOptions & { livemode: boolean; logger?: Logger }): Promise<ProgramDatabase> {
  const database = openDatabase<Schema>(options);
  try {
    await migrate(options.url, migrations);
    await claimDeployment(database.kysely, { livemode });
    const clock = await startDatabaseClock(database.kysely, { logger });
    return {
      ...database,
      clock,
      close: async () => {
        await Promise.all([clock.stop(), database.close()]);
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
