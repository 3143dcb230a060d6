import {
  booleanSetting,
  encryptionKeysSetting,
  logConfigOf,
  textSetting,
  databaseUrlSetting,
  type LogConfig,
  type logSettings,
  type SettingValues,
} from "@gateway/kernel";
import { databaseConfigOf, databaseSettings, type DatabaseConfig } from "./database-settings.ts";
import type { RequiredSettings } from "./required-settings.ts";

/** For a program that is called only by probes. `keys` describes its use of the gateway's keys. */
export function backgroundSettings({ pool, keys }: { pool: string; keys: string }) {
  return {
    HOST: textSetting({ description: "Address to listen on; `0.0.0.0` in a container", default: "127.0.0.1" }),
    LIVEMODE: booleanSetting({ description: "`true` is production: no defaults, no exceptions", default: false }),
    DATABASE_URL: databaseUrlSetting({
      description: "Postgres 15 or later",
      default: "needed",
    }),
    ...databaseSettings(pool),
    ENCRYPTION_KEYS: encryptionKeysSetting({
      description: `The same as the gateway's: ${keys}`,
      default: "needed",
    }),
  };
}

export type BackgroundConfig = LogConfig & DatabaseConfig & RequiredSettings & { host: string; livemode: boolean };

export function backgroundConfigOf(
  values: SettingValues<ReturnType<typeof backgroundSettings> & typeof logSettings>,
  { databaseUrl, encryptionKeys }: RequiredSettings,
): BackgroundConfig {
  return {
    host: values.HOST,
    livemode: values.LIVEMODE,
    databaseUrl,
    encryptionKeys,
    ...databaseConfigOf(values),
    ...logConfigOf(values),
  };
}
