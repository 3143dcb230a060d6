import {
  booleanSetting,
  encryptionKeysSetting,
  integerSetting,
  logConfigOf,
  logSettings,
  originSetting,
  readSettings,
  secretSetting,
  textSetting,
  databaseUrlSetting,
  urlSetting,
  type LogConfig,
  type SettingValues,
} from "@gateway/kernel";
import { trustedProxiesSetting } from "@gateway/limits";
import {
  checkEnvironment,
  checkPortsDiffer,
  checkRequiredSettings,
  databaseConfigOf,
  databaseSettings,
  portSetting,
  requiredSettingsOf,
  type DatabaseConfig,
  type RequiredSettings,
} from "@gateway/process";

export const authSettings = {
  AUTH_PORT: {
    ...portSetting({ description: "Port of the identity provider: its pages and its protocol", default: 8081 }),
    formerName: "IDENTITY_PORT",
  },
  AUTH_METRICS_PORT: {
    ...portSetting({
      description: "Port of the identity provider's `/livez`, `/readyz` and `/metrics`; do not publish it",
      default: 9466,
    }),
    formerName: "IDENTITY_METRICS_PORT",
  },
  HOST: textSetting({
    description: "Address to listen on, for both ports; `0.0.0.0` in a container",
    default: "127.0.0.1",
  }),
  LIVEMODE: booleanSetting({
    description: "`true` is production: only https, no defaults for secrets",
    default: false,
  }),
  DATABASE_URL: databaseUrlSetting({
    description: "Postgres of the gateway",
    default: "needed",
  }),
  ...databaseSettings("16"),
  REDIS_URL: urlSetting({
    description: "Redis that counts attempts to sign in for all processes",
    default: "attempts are counted in memory, for one process",
    schemes: ["redis", "rediss"],
  }),
  ENCRYPTION_KEYS: encryptionKeysSetting({
    description: "The same as the gateway's",
    default: "needed",
  }),
  AUTH_URL: originSetting({
    description: "Public address of the identity provider: the issuer of its tokens; https in production",
    default: "http://localhost:8081; production: needed",
  }),
  API_URL: originSetting({
    description: "Public address of the gateway: the audience of access tokens; https in production",
    default: "http://127.0.0.1:8080; production: needed",
  }),
  TRUSTED_PROXIES: trustedProxiesSetting,
  DOCS_URL: urlSetting({
    description: "Public address of the documentation: the page of a first API key leads there",
    default: "no link",
    schemes: ["https", "http"],
  }),
  CONSOLE_URL: originSetting({
    description: "Public address of the console, where people return after they sign in; https in production",
    default: "no console",
  }),
  CONSOLE_CLIENT_SECRET: secretSetting({
    description: "The client secret of the console, with the same value there",
    default: "no console",
  }),
  AUTH_ADDRESS_LIMIT: integerSetting({
    description:
      "Requests a minute from one client address to each page and each path of the protocol. Half as many sign-ins an hour may begin",
    default: 600,
    min: 1,
    max: 1_000_000_000,
  }),
  ...logSettings,
};

export type AuthSettingValues = SettingValues<typeof authSettings>;

export type ConsoleClientConfig = { url: string; redirectUri: string; clientSecret: string };

export type AuthConfig = LogConfig &
  DatabaseConfig & {
    port: number;
    metricsPort: number;
    host: string;
    livemode: boolean;
    databaseUrl: string;
    redisUrl: string | null;
    /** The first key encrypts, all keys decrypt. */
    encryptionKeys: readonly Buffer[];
    authUrl: string;
    apiUrl: string;
    trustedProxies: readonly string[];
    /** Without a slash at the end. Null when no page links there. */
    docsUrl: string | null;
    /** Null when the deployment has no console. */
    console: ConsoleClientConfig | null;
    /** The requests of a client address a minute to each path. Half as many an hour may begin a sign-in. */
    addressLimit: number;
  };

const sandboxAddresses = { AUTH_URL: "http://localhost:8081", API_URL: "http://127.0.0.1:8080" } as const;

/** Throws a ConfigurationError that lists every fault. */
export function readAuthConfig(env: Readonly<Record<string, string | undefined>>): AuthConfig {
  const values = readSettings(authSettings, env, (read) => [
    ...checkEnvironment(env, read),
    ...checkRequiredSettings(read, { keys: "of the gateway" }),
    ...checkPortsDiffer(read, ["AUTH_PORT", "AUTH_METRICS_PORT"]),
    ...checkAddresses(read),
  ]);
  return authConfigOf(values, requiredSettingsOf(values));
}

/** Requires https in production, so that passwords cannot be read in transit and browsers cannot be sent elsewhere. */
export function checkAddresses(read: Partial<AuthSettingValues>): string[] {
  return [...(read.LIVEMODE === true ? checkLiveAddresses(read) : []), ...checkConsole(read)];
}

function checkLiveAddresses(read: Partial<AuthSettingValues>): string[] {
  return (["AUTH_URL", "API_URL", "CONSOLE_URL"] as const).flatMap((name) => {
    const value = read[name];
    if (value === null) {
      return name === "CONSOLE_URL" ? [] : [`${name} is needed in production (LIVEMODE=true)`];
    }
    return value?.startsWith("http:") ? [`${name} must begin with https:// in production (LIVEMODE=true)`] : [];
  });
}

function checkConsole({ CONSOLE_URL: url, CONSOLE_CLIENT_SECRET: secret }: Partial<AuthSettingValues>): string[] {
  if (url === undefined || secret === undefined || (url === null) === (secret === null)) {
    return [];
  }
  const [missing, set] =
    url === null ? ["CONSOLE_URL", "CONSOLE_CLIENT_SECRET"] : ["CONSOLE_CLIENT_SECRET", "CONSOLE_URL"];
  return [`${missing} is needed with ${set}`];
}

export function authConfigOf(values: AuthSettingValues, found: RequiredSettings): AuthConfig {
  return Object.freeze({
    port: values.AUTH_PORT,
    metricsPort: values.AUTH_METRICS_PORT,
    host: values.HOST,
    livemode: values.LIVEMODE,
    redisUrl: values.REDIS_URL,
    authUrl: values.AUTH_URL ?? sandboxAddresses.AUTH_URL,
    apiUrl: values.API_URL ?? sandboxAddresses.API_URL,
    trustedProxies: values.TRUSTED_PROXIES,
    docsUrl: values.DOCS_URL?.replace(/\/+$/, "") ?? null,
    console: consoleConfigOf(values),
    addressLimit: values.AUTH_ADDRESS_LIMIT,
    ...logConfigOf(values),
    ...databaseConfigOf(values),
    ...found,
  });
}

function consoleConfigOf({
  CONSOLE_URL: url,
  CONSOLE_CLIENT_SECRET: clientSecret,
}: AuthSettingValues): ConsoleClientConfig | null {
  return url !== null && clientSecret !== null ? { url, redirectUri: `${url}/callback`, clientSecret } : null;
}
