import {
  booleanSetting,
  encryptionKeysSetting,
  integerSetting,
  logConfigOf,
  logSettings,
  readSettings,
  textSetting,
  urlSetting,
  type LogConfig,
} from "@gateway/kernel";
import {
  checkEnvironment,
  checkRequiredSettings,
  databaseConfigOf,
  databaseSettings,
  portSetting,
  requiredSettingsOf,
  type DatabaseConfig,
} from "@gateway/process";

export const workerSettings = {
  WORKER_METRICS_PORT: portSetting({
    description: "Port of the worker's `/livez`, `/readyz` and `/metrics`; do not publish it",
    default: 9467,
  }),
  HOST: textSetting({ description: "Address to listen on; `0.0.0.0` in a container", default: "127.0.0.1" }),
  LIVEMODE: booleanSetting({ description: "`true` is production: no defaults, no exceptions", default: false }),
  DATABASE_URL: urlSetting({
    description: "Postgres 15 or later",
    default: "needed",
    schemes: ["postgres", "postgresql"],
  }),
  ...databaseSettings("10"),
  ENCRYPTION_KEYS: encryptionKeysSetting({
    description: "The same as the gateway's: what is sealed is opened with it",
    default: "needed",
  }),
  WORKER_SLOTS: integerSetting({
    description: "Work items under way at most, in one process; one account gets a fifth of them",
    default: 64,
    min: 5,
    max: 1000,
  }),
  ...logSettings,
};

/** What a worker runs on. `encryptionKeys`: any of them decrypts. */
export type WorkerConfig = LogConfig &
  DatabaseConfig & {
    metricsPort: number;
    host: string;
    livemode: boolean;
    databaseUrl: string;
    encryptionKeys: readonly Buffer[];
    slots: number;
  };

/** Throws a ConfigurationError that lists every fault. */
export function readWorkerConfig(env: Readonly<Record<string, string | undefined>>): WorkerConfig {
  const values = readSettings(workerSettings, env, (read) => [
    ...checkEnvironment(env, read),
    ...checkRequiredSettings(read, { keys: "of the gateway" }),
  ]);
  return Object.freeze({
    metricsPort: values.WORKER_METRICS_PORT,
    host: values.HOST,
    livemode: values.LIVEMODE,
    ...requiredSettingsOf(values),
    ...databaseConfigOf(values),
    slots: values.WORKER_SLOTS,
    ...logConfigOf(values),
  });
}
