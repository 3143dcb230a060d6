import {
  integerSetting,
  logSettings,
  readSettings,
  textSetting,
  urlSetting,
  type SettingValues,
} from "@gateway/kernel";
import { checkWebhookAllowedHosts, webhookAllowedHostsSetting } from "@gateway/platform/events";
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
import { resolve } from "node:path";

export const dispatcherSettings = {
  DISPATCHER_METRICS_PORT: portSetting({
    description: "Port of the dispatcher's `/livez`, `/readyz` and `/metrics`; do not publish it",
    default: 9465,
  }),
  ...backgroundSettings({ pool: "5", keys: "it decrypts webhook secrets" }),
  DISPATCHER_SLOTS: integerSetting({
    description:
      "Most attempts of a process that are in flight or not recorded yet, each with its own socket. One account gets at most a fifth, receivers that hang at most half",
    default: 512,
    min: 5,
    max: 5000,
  }),
  RETRY_TIME_SCALE: integerSetting({
    description: "Factor by which retries come sooner; sandbox only",
    default: 1,
    min: 1,
    max: 1_000_000,
  }),
  WEBHOOK_ALLOWED_HOSTS: webhookAllowedHostsSetting,
  WEBHOOK_EXTRA_CA: textSetting({
    description:
      "PEM file of a certificate authority that receivers may use in addition to the public ones; sandbox only",
    default: "",
  }),
  SMTP_URL: urlSetting({
    description:
      "Mail server, such as `smtps://user:password@mail.example.com`, or `smtp://` with `?requireTLS=true`; needed in production",
    default: "mails are written to files in `DATA_DIR/mail`",
    schemes: ["smtp", "smtps"],
  }),
  MAIL_FROM: textSetting({ description: "Sender of mails; needed with `SMTP_URL`", default: "" }),
  DATA_DIR: textSetting({ description: "Folder for mails that have no mail server", default: ".data" }),
  ...logSettings,
};

export type DispatcherSettingValues = SettingValues<typeof dispatcherSettings>;

export type DispatcherConfig = BackgroundConfig & {
  metricsPort: number;
  slots: number;
  retryTimeScale: number;
  allowedHosts: readonly string[];
  /** Paths of files in PEM. */
  extraCaFiles: readonly string[];
  mail: MailConfig;
};

export type MailConfig = { kind: "smtp"; url: string; from: string } | { kind: "files"; folder: string };

/** Throws a ConfigurationError that lists every fault. A relative DATA_DIR starts at the repository. */
export function readDispatcherConfig(env: Readonly<Record<string, string | undefined>>): DispatcherConfig {
  const values = readSettings(dispatcherSettings, env, (read) => [
    ...checkEnvironment(env, read),
    ...checkRequiredSettings(read, { keys: "of the gateway" }),
    ...checkMail(read),
    ...checkDispatcherSettings(read),
  ]);
  return dispatcherConfigOf(values, {
    ...requiredSettingsOf(values),
    dataDir: resolve(import.meta.dirname, "../../..", values.DATA_DIR),
  });
}

/** Faults that production refuses, and settings that do not fit together. */
export function checkDispatcherSettings(read: Partial<DispatcherSettingValues>): string[] {
  const faults =
    read.SMTP_URL && !read.MAIL_FROM ? ["MAIL_FROM is needed with SMTP_URL: the address that mails come from"] : [];
  if (read.LIVEMODE !== true) {
    return faults;
  }
  if (read.RETRY_TIME_SCALE !== undefined && read.RETRY_TIME_SCALE !== 1) {
    faults.push("RETRY_TIME_SCALE must be 1 in production (LIVEMODE=true): the schedule of retries is a promise");
  }
  faults.push(...checkWebhookAllowedHosts(read), ...checkMailIsEncrypted(read));
  if (read.WEBHOOK_EXTRA_CA) {
    faults.push(
      "WEBHOOK_EXTRA_CA must not be set in production (LIVEMODE=true): only public authorities vouch for receivers",
    );
  }
  return faults;
}

/** Production's alerts are a promise to the account's owner. */
export function checkMail(read: Partial<Pick<DispatcherSettingValues, "LIVEMODE" | "SMTP_URL">>): string[] {
  return read.LIVEMODE === true && read.SMTP_URL === null
    ? ["SMTP_URL is needed in production (LIVEMODE=true): alerts in a file are not read"]
    : [];
}

/** Encryption is required, because mails hold links that sign people in. */
function checkMailIsEncrypted({ SMTP_URL: url }: Partial<Pick<DispatcherSettingValues, "SMTP_URL">>): string[] {
  if (!url) {
    return [];
  }
  // Nodemailer takes its options from the query.
  const { protocol, searchParams } = new URL(url);
  const mayBePlain = protocol === "smtp:" && searchParams.get("requireTLS") !== "true";
  const isUnchecked =
    searchParams.get("tls.rejectUnauthorized") === "false" || searchParams.get("ignoreTLS") === "true";
  return mayBePlain || isUnchecked
    ? [
        "SMTP_URL must be encrypted in production (LIVEMODE=true): smtps://, or smtp:// with ?requireTLS=true, and certificates checked",
      ]
    : [];
}

export function dispatcherConfigOf(
  values: DispatcherSettingValues,
  found: RequiredSettings & { dataDir: string },
): DispatcherConfig {
  return Object.freeze({
    ...backgroundConfigOf(values, found),
    metricsPort: values.DISPATCHER_METRICS_PORT,
    slots: values.DISPATCHER_SLOTS,
    retryTimeScale: values.RETRY_TIME_SCALE,
    allowedHosts: values.WEBHOOK_ALLOWED_HOSTS,
    extraCaFiles: values.WEBHOOK_EXTRA_CA === "" ? [] : [values.WEBHOOK_EXTRA_CA],
    mail: mailConfigOf(values, found.dataDir),
  });
}

function mailConfigOf(values: DispatcherSettingValues, dataDir: string): MailConfig {
  return values.SMTP_URL === null
    ? { kind: "files", folder: resolve(dataDir, "mail") }
    : { kind: "smtp", url: values.SMTP_URL, from: values.MAIL_FROM };
}
