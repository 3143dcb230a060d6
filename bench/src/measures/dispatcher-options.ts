import type { DispatcherOptions } from "../servers/dispatcher.ts";
import type { BenchDatabase } from "../setup/installation.ts";

/** Options of a dispatcher process on this database. */
export function dispatcherOptions({ url, livemode, encryptionKey }: BenchDatabase): DispatcherOptions {
  return { databaseUrl: url, livemode, encryptionKey: encryptionKey.toString("base64") };
}
