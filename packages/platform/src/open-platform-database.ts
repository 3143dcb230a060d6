import { migrate, openDatabase, type OpenDatabaseOptions } from "@gateway/database";
import { claimDeployment } from "./claim-deployment.ts";
import { migrations } from "./migrations/index.ts";
import type { PlatformDatabase, Schema } from "./platform.ts";

/**
 * As a program needs it: at the newest migration, and of the program's own environment. Rejects with nothing left open; a database of the
 * other environment is a ConfigurationError.
 */
export async function openPlatformDatabase({
  livemode,
  ...options
}: OpenDatabaseOptions & { livemode: boolean }): Promise<PlatformDatabase> {
  const database = openDatabase<Schema>(options);
  try {
    await migrate(options.url, migrations);
    await claimDeployment(database.kysely, { livemode });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
