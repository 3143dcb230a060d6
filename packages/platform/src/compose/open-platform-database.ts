import {
  createDialer,
  describeDatabaseFault,
  findPooler,
  migrate,
  openDatabase,
  whenAvailable,
  type OpenDatabaseOptions,
} from "@gateway/database";
import { ConfigurationError, type Logger } from "@gateway/kernel";
import { describeOldDatabase, migrations } from "@gateway/schema";
import { claimDeployment, type Deployment, type DeploymentTables } from "./claim-deployment.ts";
import { createPartitions } from "./create-partitions.ts";
import { startDatabaseClock, type DatabaseClock } from "@gateway/engine/database-clock";
import type { PlatformDatabase, Schema } from "./schema.ts";
import { tellWaits } from "@gateway/engine/tell-waits";

export type PlatformDatabaseOptions = Omit<OpenDatabaseOptions, "pooler" | "dialer" | "isStarting"> &
  Deployment & {
    logger?: Logger;
    /** The time to wait for an unavailable database; 5 minutes unless given. */
    patienceMs?: number;
  };

export type ProgramDatabase = PlatformDatabase & {
  clock: DatabaseClock;
  /** The same database over separate connections, for work that requests must not wait for. The caller closes it. */
  openApart(
    options: Pick<OpenDatabaseOptions, "applicationName" | "maxConnections" | "queryTimeoutMs">,
  ): PlatformDatabase;
};

/**
 * Opens the database at the newest migration, for the program's environment and keys. Waits while it is unavailable or
 * slow. Its queries have the limits of a start until `serve` is called. Rejects with nothing left open. A different
 * environment, different keys and a version before 0.2.0 are a ConfigurationError.
 */
export async function openPlatformDatabase({
  livemode,
  encryptionKeys,
  logger,
  patienceMs,
  ...options
}: PlatformDatabaseOptions): Promise<ProgramDatabase> {
  const { url, directUrl = null } = options;
  const dialer = createDialer();
  const wait = { onWait: tellWaits(logger), ...(patienceMs !== undefined && { patienceMs }) };
  const pooler = await whenAvailable(() => findPooler(url, { dialer }), wait);
  const open = (apart = {}): PlatformDatabase =>
    openDatabase<Schema>({ ...options, ...apart, dialer, pooler, isStarting: true });
  const database = open();
  const starting = new Set([database]);
  try {
    await whenAvailable(() => refuseOldDatabase(database), wait);
    if (directUrl === null) {
      await whenAvailable(() => migrate(url, migrations, { dialer }), wait);
    } else {
      await checkDirectUrl(() => whenAvailable(() => migrate(directUrl, migrations, { dialer }), wait));
      await checkDirectUrl(() => whenAvailable(() => hearOnce(database), wait));
    }
    const deployments = database.kysely.$pickTables<keyof DeploymentTables>();
    await whenAvailable(() => claimDeployment(deployments, { livemode, encryptionKeys }), wait);
    const clock = await whenAvailable(() => startDatabaseClock(database.kysely, { logger }), wait);
    await createPartitions(database.kysely, { nowMs: clock.now() });
    return {
      ...database,
      clock,
      openApart: (apart) => {
        const opened = open(apart);
        starting.add(opened);
        return opened;
      },
      serve: () => starting.forEach((one) => one.serve()),
      close: async () => {
        await Promise.all([clock.stop(), database.close()]);
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function refuseOldDatabase({ kysely }: PlatformDatabase): Promise<void> {
  const fault = await describeOldDatabase(kysely);
  if (fault !== null) {
    throw new ConfigurationError([fault]);
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

/** A heartbeat may be late on a busy machine, so each try waits twice as long as the one before. */
const hearingMs = [500, 1_000, 2_000, 4_000, 8_000];

async function hearOnce(database: PlatformDatabase, [heartbeatTimeoutMs, ...more] = hearingMs): Promise<void> {
  const heard = Promise.withResolvers<void>();
  const listener = database.listen(
    "start",
    { onNotification: () => {}, onReady: () => heard.resolve(), onLost: (error) => heard.reject(error) },
    { ...(heartbeatTimeoutMs !== undefined && { heartbeatTimeoutMs }) },
  );
  try {
    await heard.promise;
  } catch (error) {
    if (more.length === 0) {
      throw error;
    }
    await hearOnce(database, more);
  } finally {
    await listener.close();
  }
}
