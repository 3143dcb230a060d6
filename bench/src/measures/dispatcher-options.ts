import type { DispatcherOptions } from "../servers/dispatcher.ts";
import type { BenchDatabase } from "../setup/installation.ts";

/** What a dispatcher process on this database is started with. */
export function dispatcherOptions({ url, livemode, encryptionKey }: BenchDatabase): DispatcherOptions {
  return { databaseUrl: url, livemode, encryptionKey: encryptionKey.toString("base64") };
}
