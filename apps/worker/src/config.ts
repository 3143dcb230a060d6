import { checkUpstreams, upstreamsConfigOf, upstreamSettings, type UpstreamsConfig } from "@gateway/forwarding";
import { integerSetting, logSettings, readSettings, type SettingValues } from "@gateway/kernel";
import { checkPortsModule, portsModuleOf, portsSetting, type PortsModule } from "@gateway/platform/compose/load-ports";
import {
  backgroundConfigOf,
  backgroundSettings,
  checkEnvironment,
  checkRequiredSettings,
  portSetting,
  requiredSettingsOf,
  type BackgroundConfig,
  type RequiredSettings,
} from "@gateway/process";

export const workerSettings = {
  WORKER_METRICS_PORT: portSetting({
    description: "Port of the worker's `/livez`, `/readyz` and `/metrics`; do not publish it",
    default: 9467,
  }),
  ...backgroundSettings({ pool: "10", keys: "it decrypts stored secrets" }),
  WORKER_SLOTS: integerSetting({
    description: "Most work items of a process in flight. One account gets at most a fifth",
    default: 64,
    min: 5,
    max: 1000,
  }),
  PORTS: portsSetting,
  ...upstreamSettings,
  ...logSettings,
};

export type WorkerSettingValues = SettingValues<typeof workerSettings>;

export type WorkerConfig = BackgroundConfig &
  UpstreamsConfig & {
    metricsPort: number;
    slots: number;
    /** Null: external systems are simulated, or there are none. */
    portsModule: PortsModule | null;
  };

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a ConfigurationError that lists every fault. */
export function readWorkerConfig(env: Environment): WorkerConfig {
  const values = readSettings(workerSettings, env, (read) => [
    ...checkEnvironment(env, read),
    ...checkRequiredSettings(read, { keys: "of the gateway" }),
    ...checkPortsModule(read),
    ...checkUpstreams(read),
  ]);
  return workerConfigOf(values, { ...requiredSettingsOf(values), env });
}

/** `env` holds the settings that the module of `PORTS` reads itself. */
export function workerConfigOf(
  values: WorkerSettingValues,
  found: RequiredSettings & { env: Environment },
): WorkerConfig {
  return Object.freeze({
    ...backgroundConfigOf(values, found),
    metricsPort: values.WORKER_METRICS_PORT,
    slots: values.WORKER_SLOTS,
    portsModule: portsModuleOf(values, found.env),
    ...upstreamsConfigOf(values),
  });
}
