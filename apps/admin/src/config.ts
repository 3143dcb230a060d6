import { booleanSetting, encryptionKeysSetting, readSettings, textSetting, databaseUrlSetting } from "@gateway/kernel";
import { resolve } from "node:path";

const adminSettings = {
  LIVEMODE: booleanSetting({
    description: "`true` on production's database: its keys begin with `gk_live_`",
    default: false,
  }),
  DATA_DIR: textSetting({ description: "Folder of the embedded Postgres", default: ".data" }),
  DATABASE_URL: databaseUrlSetting({
    description: "Postgres of the gateway",
    default: "the embedded Postgres in `DATA_DIR`",
  }),
  ENCRYPTION_KEYS: encryptionKeysSetting({
    description: "The same as the gateway's; for `signing-keys roll` and `price-signing-keys roll`",
    default: "the sandbox's in `DATA_DIR`, if it exists",
  }),
};

export type AdminConfig = {
  databaseUrl: string | null;
  dataDir: string;
  livemode: boolean;
  encryptionKeys: readonly Buffer[] | null;
};

export function readAdminConfig(env: Readonly<Record<string, string | undefined>>): AdminConfig {
  const values = readSettings(adminSettings, env);
  return {
    livemode: values.LIVEMODE,
    databaseUrl: values.DATABASE_URL,
    encryptionKeys: values.ENCRYPTION_KEYS,
    dataDir: resolve(import.meta.dirname, "../../..", values.DATA_DIR),
  };
}
