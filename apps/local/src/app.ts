import { openDatabase, startEmbeddedPostgres, type EmbeddedPostgres } from "@gateway/database";
import { startGateway } from "@gateway/gateway";
import { gatewayConfigOf } from "@gateway/gateway/config";
import { systemClock } from "@gateway/kernel";
import type { LocalConfig } from "./config.ts";
import { createDemoAccount } from "./demo-account.ts";
import { keepEncryptionKey } from "./encryption-key.ts";

export type RunningSystem = {
  port: number;
  metricsPort: number;
  /** The secret of the demo account's admin key, at the first start in the sandbox only. */
  demoKey: string | null;
  /** Rejects when the embedded Postgres ends by itself. */
  failed: Promise<never>;
  stop(): Promise<void>;
};

/** Starts everything on this machine: database, gateway, and at the first start a demo account. Leaves nothing behind when it rejects. */
export async function startSystem({ values, dataDir }: LocalConfig): Promise<RunningSystem> {
  const failed = Promise.withResolvers<never>();
  // Whoever waits sees the rejection; nobody waiting is no fault.
  failed.promise.catch(() => {});
  const postgres =
    values.DATABASE_URL === null
      ? await startEmbeddedPostgres({ dataDir, onExit: (error) => failed.reject(error) })
      : null;
  try {
    const databaseUrl = values.DATABASE_URL ?? urlOf(postgres);
    const encryptionKeys = values.ENCRYPTION_KEYS ?? [await keepEncryptionKey(dataDir)];
    const gateway = await startGateway(gatewayConfigOf(values, { databaseUrl, encryptionKeys }));
    return {
      port: gateway.port,
      metricsPort: gateway.metricsPort,
      demoKey: values.LIVEMODE ? null : await seed(databaseUrl),
      failed: failed.promise,
      stop: async () => {
        await gateway.stop();
        await postgres?.stop();
      },
    };
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}

function urlOf(postgres: EmbeddedPostgres | null): string {
  if (!postgres) {
    throw new Error("There is neither DATABASE_URL nor an embedded Postgres.");
  }
  return postgres.url;
}

async function seed(databaseUrl: string): Promise<string | null> {
  const database = openDatabase({ url: databaseUrl, applicationName: "gateway-demo", maxConnections: 1 });
  try {
    return await createDemoAccount(database, systemClock);
  } finally {
    await database.close();
  }
}
