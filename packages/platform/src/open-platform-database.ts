import {
  createDialer,
  describeDatabaseFault,
  findPooler,
  isUnavailable,
  migrate,
  openDatabase,
  type OpenDatabaseOptions,
} from "@gateway/database";
import { ConfigurationError, type Logger } from "@gateway/kernel";
import { sql } from "kysely";
import { claimDeployment, type Deployment, type DeploymentTables } from "./claim-deployment.ts";
import { createPartitions } from "./create-partitions.ts";
import { startDatabaseClock, type DatabaseClock } from "./database-clock.ts";
import { migrations } from "./migrations/index.ts";
import type { PlatformDatabase, Schema } from "./platform.ts";

export type PlatformDatabaseOptions = Omit<OpenDatabaseOptions, "pooler" | "dialer"> & Deployment & { logger?: Logger };

/** A program's database, and the time that counts there. */
export type ProgramDatabase = PlatformDatabase & {
  clock: DatabaseClock;
  /** The same database over connections of its own, for what must not wait for requests, nor they for it. Whoever opens it closes it. */
  openApart(
    options: Pick<OpenDatabaseOptions, "applicationName" | "maxConnections" | "queryTimeoutMs">,
  ): PlatformDatabase;
};

/**
 * As a program needs it: at the newest migration, and of the program's own environment and keys. Rejects with nothing left open; a
 * database of the other environment or of other keys, and a DATABASE_DIRECT_URL that is of no use, are a ConfigurationError.
 */
export async function openPlatformDatabase({
  livemode,
  encryptionKeys,
  logger,
  ...options
}: PlatformDatabaseOptions): Promise<ProgramDatabase> {
  const { url, directUrl = null } = options;
  const dialer = createDialer();
  const pooler = await findPooler(url, { dialer });
  const database = openDatabase<Schema>({ ...options, dialer, pooler });
  try {
    if (directUrl === null) {
      await migrate(url, migrations, { dialer });
    } else {
      await checkDirectUrl(() => migrate(directUrl, migrations, { dialer }));
      await checkDirectUrl(() => hearOnce(database));
    }
    await connectOnce(database);
    await claimDeployment(database.kysely.$pickTables<keyof DeploymentTables>(), { livemode, encryptionKeys });
    const clock = await startDatabaseClock(database.kysely, { logger });
    await createPartitions(database.kysely, { nowMs: clock.now() });
    return {
      ...database,
      clock,
      openApart: (apart) => openDatabase<Schema>({ ...options, dialer, pooler, ...apart }),
      close: async () => {
        await Promise.all([clock.stop(), database.close()]);
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A request waits a second for a connection; a start has more time than that, and may meet a machine on which everything starts. */
async function connectOnce(database: PlatformDatabase, tries = 5): Promise<void> {
  try {
    await sql`select`.execute(database.kysely);
  } catch (error) {
    if (tries === 1 || !isUnavailable(error)) {
      throw error;
    }
    await connectOnce(database, tries - 1);
  }
}

async function checkDirectUrl(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const fault = describeDatabaseFault(error, "DATABASE_DIRECT_URL");
    throw fault === null ? error : new ConfigurationError([fault]);
  }
}

/** Each try takes half a second, which a busy machine may need for itself. */
async function hearOnce(database: PlatformDatabase, tries = 5): Promise<void> {
  const heard = Promise.withResolvers<void>();
  const listener = database.listen("start", {
    onNotification: () => {},
    onReady: () => heard.resolve(),
    onLost: (error) => heard.reject(error),
  });
  try {
    await heard.promise;
  } catch (error) {
    if (tries === 1) {
      throw error;
    }
    await hearOnce(database, tries - 1);
  } finally {
    await listener.close();
  }
}
