import {
  readSettings,
  textSetting,
  choiceSetting,
  logLevels,
  encryptionKeysSetting,
  urlSetting,
} from "@gateway/kernel";
import { checkPorts, gatewaySettings } from "@gateway/gateway/config";
import { resolve } from "node:path";

/** The gateway's settings, where what it needs has a stand-in on one machine. README.md shows this table, and a test compares. */
export const localSettings = {
  ...gatewaySettings,
  DATA_DIR: textSetting({
    description: "Folder of the embedded Postgres and of the generated encryption key",
    default: ".data",
  }),
  DATABASE_URL: urlSetting({
    description: "Postgres 15 or later, in the place of the embedded one",
    default: "an embedded Postgres in `DATA_DIR`",
    schemes: ["postgres", "postgresql"],
  }),
  ENCRYPTION_KEYS: encryptionKeysSetting({
    description: gatewaySettings.ENCRYPTION_KEYS.description,
    default: "sandbox: made at the first start and kept in `DATA_DIR`; production: needed",
  }),
  LOG_LEVEL: choiceSetting({ description: "Least severe log line written", default: "warn", choices: logLevels }),
};

export type LocalConfig = ReturnType<typeof readLocalConfig>;

/** Throws a ConfigurationError that lists every fault. A relative DATA_DIR starts at the repository, wherever npm was called from. */
export function readLocalConfig(env: Readonly<Record<string, string | undefined>>) {
  const values = readSettings(localSettings, env, (read) => [
    ...checkPorts(read),
    ...(read.LIVEMODE === true && read.ENCRYPTION_KEYS === null
      ? [
          "ENCRYPTION_KEYS is needed in production (LIVEMODE=true): a key that lies beside the data protects nothing; make one with: openssl rand -base64 32",
        ]
      : []),
  ]);
  return Object.freeze({ values, dataDir: resolve(import.meta.dirname, "../../..", values.DATA_DIR) });
}
