import {
  booleanSetting,
  encryptionKeysSetting,
  logConfigOf,
  logSettings,
  originSetting,
  readSettings,
  secretSetting,
  textSetting,
  databaseUrlSetting,
  urlSetting,
  type SettingValues,
} from "@gateway/kernel";
import { trustedProxiesSetting } from "@gateway/limits";
import { checkEnvironment, checkPortsDiffer, databaseSettings, portSetting } from "@gateway/process";

export const consoleSettings = {
  CONSOLE_PORT: portSetting({ description: "Port of the console", default: 8083 }),
  CONSOLE_METRICS_PORT: portSetting({
    description: "Port of the console's `/livez`, `/readyz` and `/metrics`; do not publish it",
    default: 9468,
  }),
  CONSOLE_DATABASE_URL: databaseUrlSetting({
    description: "Postgres of the gateway, with a role that may use only the table `console_sessions`",
    default: "needed",
  }),
  CONSOLE_SESSION_KEYS: encryptionKeysSetting({
    description:
      "32 random bytes in base64, for the tokens that the console keeps. Must differ from `ENCRYPTION_KEYS`. To rotate, put the new key first, separated by a comma",
    default: "needed",
  }),
  CONSOLE_URL: originSetting({
    description: "Public address of the console, where people return after they sign in; https in production",
    default: "needed",
  }),
  CONSOLE_CLIENT_SECRET: secretSetting({
    description: "Secret that the console and the identity provider share",
    default: "needed",
  }),
  CONSOLE_API_URL: originSetting({
    description:
      "Address of the API for the console, behind the proxies, so that the person's own address is passed on",
    default: "`API_URL`",
  }),
  CONSOLE_AUTH_URL: originSetting({
    description: "Address of the identity provider for the console, behind the proxies",
    default: "`AUTH_URL`",
  }),
  CONSOLE_OTHER_URL: originSetting({
    description: "Public address of the other environment's console. The badge links to it",
    default: "no link",
  }),
};

export const consoleProgramSettings = {
  ...consoleSettings,
  HOST: textSetting({
    description: "Address to listen on, for both ports; `0.0.0.0` in a container",
    default: "127.0.0.1",
  }),
  LIVEMODE: booleanSetting({ description: "`true` is production: only https", default: false }),
  DATABASE_POOL: databaseSettings("5").DATABASE_POOL,
  AUTH_URL: originSetting({ description: "Public address of the identity provider", default: "needed" }),
  API_URL: originSetting({ description: "Public address of the API", default: "needed" }),
  DOCS_URL: urlSetting({
    description: "Public address of the documentation: pages link there",
    default: "no link",
    schemes: ["https", "http"],
  }),
  TRUSTED_PROXIES: trustedProxiesSetting,
  ...logSettings,
};

const needed = [
  "CONSOLE_DATABASE_URL",
  "CONSOLE_SESSION_KEYS",
  "CONSOLE_URL",
  "CONSOLE_CLIENT_SECRET",
  "AUTH_URL",
  "API_URL",
] as const;

/** Throws a ConfigurationError that lists every fault. */
export function readConsoleConfig(env: Readonly<Record<string, string | undefined>>): ConsoleConfig {
  const values = readSettings(consoleProgramSettings, env, (read) => [
    ...checkEnvironment(env, read),
    ...needed.filter((name) => read[name] === null).map((name) => `${name} is needed (npm start brings its own)`),
    ...checkPortsDiffer(read, ["CONSOLE_PORT", "CONSOLE_METRICS_PORT"]),
    ...checkLiveConsole(read),
    // A person with the console's environment must not be able to open data that the gateway sealed.
    ...(env["ENCRYPTION_KEYS"] ? ["ENCRYPTION_KEYS must not be given to the console: it has keys of its own"] : []),
  ]);
  const given = <Name extends (typeof needed)[number]>(name: Name) => {
    const value = values[name];
    if (value === null) {
      throw new Error(`${name} is null: the check of the settings did not run.`);
    }
    return value;
  };
  return consoleConfigOf(values, {
    databaseUrl: given("CONSOLE_DATABASE_URL"),
    sessionKeys: given("CONSOLE_SESSION_KEYS"),
    consoleUrl: given("CONSOLE_URL"),
    clientSecret: given("CONSOLE_CLIENT_SECRET"),
    authUrl: given("AUTH_URL"),
    apiUrl: given("API_URL"),
  });
}

/** The required values, whether they were configured or generated. */
type FoundConsole = {
  databaseUrl: string;
  /** The first key seals, all keys open. */
  sessionKeys: readonly Buffer[];
  clientSecret: string;
  consoleUrl: string;
  authUrl: string;
  apiUrl: string;
  /** Only `npm start` provides one. */
  receiverUrl?: string | null;
};

export type ConsoleConfig = ReturnType<typeof consoleConfigOf>;

export function consoleConfigOf(
  values: SettingValues<typeof consoleProgramSettings>,
  { consoleUrl, authUrl, apiUrl, receiverUrl = null, ...found }: FoundConsole,
) {
  return Object.freeze({
    port: values.CONSOLE_PORT,
    metricsPort: values.CONSOLE_METRICS_PORT,
    host: values.HOST,
    livemode: values.LIVEMODE,
    /** Null for the program's own number of connections. */
    databasePool: values.DATABASE_POOL,
    trustedProxies: values.TRUSTED_PROXIES,
    /** Addresses as browsers know them. `docs` is without a slash at the end, and null when no page links there. */
    addresses: {
      console: consoleUrl,
      auth: authUrl,
      api: apiUrl,
      docs: values.DOCS_URL?.replace(/\/+$/, "") ?? null,
      otherConsole: values.CONSOLE_OTHER_URL,
      receiver: receiverUrl,
    },
    /** The addresses at which this process reaches them. */
    upstreams: { auth: values.CONSOLE_AUTH_URL ?? authUrl, api: values.CONSOLE_API_URL ?? apiUrl },
    ...logConfigOf(values),
    ...found,
  });
}

type AddressValues = { LIVEMODE: boolean; CONSOLE_URL: string | null; AUTH_URL: string | null; API_URL: string | null };

/** Requires https in production, so that the pages and the sign-in cannot be read in transit. */
function checkLiveConsole(read: Partial<AddressValues>): string[] {
  const names = read.LIVEMODE === true ? (["CONSOLE_URL", "AUTH_URL", "API_URL"] as const) : [];
  return names
    .filter((name) => read[name]?.startsWith("http:"))
    .map((name) => `${name} must begin with https:// in production (LIVEMODE=true)`);
}
