import { resolve } from "node:path";
import { booleanSetting, readSettings, textSetting, type Setting, type SettingValues } from "@gateway/kernel";
import { portSetting } from "@gateway/process";

export const receiverSettings = {
  RECEIVER_PORT: portSetting({ description: "Port of the local receiver", default: 8443 }),
  RECEIVER_HOST: textSetting({
    description: "Address on which the local receiver listens; `localhost` is 127.0.0.1 and ::1",
    default: "localhost",
  }),
  WEBHOOK_SECRET: optionalText({
    description: "Another webhook secret for the local receiver to verify with",
    default: "those in `receiver-secrets` in `DATA_DIR`, which are always used",
  }),
  RECEIVER_CERTIFICATE_FILE: optionalText({
    description: "The local receiver's certificate in PEM",
    default: "one for localhost, from a local authority made at the first start",
  }),
  RECEIVER_KEY_FILE: optionalText({
    description: "The key of `RECEIVER_CERTIFICATE_FILE` in PEM",
    default: "the local authority's",
  }),
};

export type ReceiverConfig = {
  port: number;
  host: string;
  secret: string | null;
  /** Null: the local authority's in `dataDir`. */
  tlsFiles: { certificate: string; key: string } | null;
  dataDir: string;
};

/**
 * Throws a ConfigurationError that lists every fault. A relative path starts at the repository, wherever npm was called
 * from.
 */
export function readReceiverConfig(env: Readonly<Record<string, string | undefined>>): ReceiverConfig {
  const settings = {
    ...receiverSettings,
    DATA_DIR: textSetting({ description: "Folder of the secrets and the local authority", default: ".data" }),
    LIVEMODE: booleanSetting({ description: "`true` is production, which runs no receiver", default: false }),
  };
  const values = readSettings(settings, env, (read) => [
    ...checkTlsFiles(read),
    ...(read.LIVEMODE === true
      ? [
          "LIVEMODE must not be true for the receiver: it prints what it receives, and no public authority issued its certificate",
        ]
      : []),
  ]);
  return receiverConfigOf(values, { dataDir: atRepository(values.DATA_DIR) });
}

export type ReceiverSettingValues = SettingValues<typeof receiverSettings>;

export function receiverConfigOf(values: ReceiverSettingValues, found: { dataDir: string }): ReceiverConfig {
  const { RECEIVER_CERTIFICATE_FILE: certificate, RECEIVER_KEY_FILE: key } = values;
  return Object.freeze({
    port: values.RECEIVER_PORT,
    host: values.RECEIVER_HOST,
    secret: values.WEBHOOK_SECRET,
    tlsFiles:
      certificate !== null && key !== null ? { certificate: atRepository(certificate), key: atRepository(key) } : null,
    ...found,
  });
}

/** For the check of readSettings. */
export function checkTlsFiles(read: Partial<ReceiverSettingValues>): string[] {
  return typeof read.RECEIVER_CERTIFICATE_FILE === typeof read.RECEIVER_KEY_FILE
    ? []
    : ["RECEIVER_CERTIFICATE_FILE and RECEIVER_KEY_FILE belong together: set both or neither"];
}

function atRepository(path: string): string {
  return resolve(import.meta.dirname, "../../..", path);
}

function optionalText(options: { description: string; default: string }): Setting<string | null> {
  return { ...options, read: (text) => text ?? null };
}
