import { services } from "@gateway/contract";
import {
  readSettings,
  originSetting,
  textSetting,
  logSettings,
  encryptionKeysSetting,
  databaseUrlSetting,
  urlSetting,
  type SettingValues,
} from "@gateway/kernel";
import { checkDispatcherSettings, checkMail, dispatcherSettings } from "@gateway/dispatcher/config";
import { consoleSettings } from "@gateway/console/config";
import { docsSettings } from "@gateway/docs/config";
import { gatewaySettings } from "@gateway/gateway/config";
import { checkAddresses, authSettings } from "@gateway/auth/config";
import { checkUpstreams } from "@gateway/forwarding";
import { checkPortsModule } from "@gateway/platform/compose/load-ports";
import { checkEnvironment, checkPortsDiffer, databaseSettings, type Ports } from "@gateway/process";
import { checkTlsFiles, receiverSettings } from "@gateway/receiver/config";
import { workerSettings } from "@gateway/worker/config";
import { resolve } from "node:path";
import { isatty } from "node:tty";
import { namePortOf, servicePortsSetting, type ServicePorts } from "./service-ports.ts";

/**
 * The settings of all programs, with a default for each that can have one on a single machine. The guide "Settings"
 * shows them, and a test compares. The gateway's come first, and again because their wording wins.
 */
export const localSettings = {
  ...gatewaySettings,
  ...authSettings,
  ...dispatcherSettings,
  ...workerSettings,
  ...gatewaySettings,
  ...receiverSettings,
  ...docsSettings,
  ...consoleSettings,
  CONSOLE_DATABASE_URL: {
    ...consoleSettings.CONSOLE_DATABASE_URL,
    default: "a role made at each start; with `DATABASE_URL` and in production: no console",
  },
  CONSOLE_SESSION_KEYS: {
    ...consoleSettings.CONSOLE_SESSION_KEYS,
    default: "sandbox: made at the first start and kept in `DATA_DIR`; production: needed for a console",
  },
  CONSOLE_URL: {
    ...consoleSettings.CONSOLE_URL,
    default: "sandbox: 127.0.0.1 with `CONSOLE_PORT`; production: no console",
  },
  CONSOLE_CLIENT_SECRET: {
    ...consoleSettings.CONSOLE_CLIENT_SECRET,
    default: "sandbox: made at each start; production: no console",
  },
  CONSOLE_API_URL: { ...consoleSettings.CONSOLE_API_URL, default: "the gateway of this process" },
  CONSOLE_AUTH_URL: { ...consoleSettings.CONSOLE_AUTH_URL, default: "the one of this process" },
  SERVICE_PORTS: servicePortsSetting,
  HOST: textSetting({
    description: "Address to listen on, for all ports except the receiver's; `0.0.0.0` in a container",
    default: "127.0.0.1",
  }),
  DATA_DIR: textSetting({
    description: "Folder of the embedded Postgres, of keys made at the first start, and of mails",
    default: ".data",
  }),
  DATABASE_URL: databaseUrlSetting({
    description: "Postgres 15 or later, instead of the embedded one",
    default: "an embedded Postgres in `DATA_DIR`",
  }),
  ...databaseSettings("gateway 10, identity provider 16, dispatcher 5, worker 10, console 5"),
  ENCRYPTION_KEYS: encryptionKeysSetting({
    description: gatewaySettings.ENCRYPTION_KEYS.description,
    default: "sandbox: made at the first start and kept in `DATA_DIR`; production: needed",
  }),
  REDIS_URL: urlSetting({
    description: "Redis that counts rate limits and sign-in attempts for all processes",
    default: "counted in memory, for one process",
    schemes: ["redis", "rediss"],
  }),
  AUTH_URL: originSetting({
    description: "Public address of the identity provider: the issuer of its tokens; https in production",
    default: "sandbox: `localhost` with `AUTH_PORT`; production: needed",
  }),
  API_URL: originSetting({
    description: "Public address of the API: the audience of access tokens; https in production",
    default: "sandbox: 127.0.0.1 with `GATEWAY_PORT`; production: needed",
  }),
  DOCS_URL: urlSetting({
    description:
      "Public address of the documentation. Errors link to the page of their code there, and the page of a first API key links to its guide",
    default: "the one of this process",
    schemes: ["https", "http"],
  }),
  JWKS_URL: { ...gatewaySettings.JWKS_URL, default: "the ones of this process" },
  WEBHOOK_ALLOWED_HOSTS: {
    ...gatewaySettings.WEBHOOK_ALLOWED_HOSTS,
    default: "sandbox: the receiver's, which is always allowed; production: none",
  },
  // At a terminal, every request is logged. In a machine's log, only lines that need a person are.
  LOG_LEVEL: {
    ...logSettings.LOG_LEVEL,
    default: "info at a terminal, else warn",
    read: (text) => logSettings.LOG_LEVEL.read(text ?? (isatty(1) ? "info" : "warn")),
  } satisfies typeof logSettings.LOG_LEVEL,
};

export type LocalSettingValues = SettingValues<typeof localSettings>;
export type LocalConfig = ReturnType<typeof readLocalConfig>;

/** Throws a ConfigurationError with every fault. A relative DATA_DIR starts at the repository. */
export function readLocalConfig(env: Readonly<Record<string, string | undefined>>) {
  const values = readSettings(localSettings, env, (read) => [
    ...checkEnvironment(env, read),
    ...checkPortsDiffer(portsByName(read), [...portSettings, ...services.map(namePortOf)]),
    ...checkAddresses(read),
    ...checkOwnConsole(read),
    ...checkDispatcherSettings(read),
    ...checkMail(read),
    ...checkTlsFiles(read),
    ...checkPortsModule(read),
    ...((read.SERVICES ?? []).length > 0
      ? ["SERVICES is for npm run gateway alone: npm start has every service, each at a direct address too"]
      : []),
    ...checkUpstreams(read),
    ...(read.LIVEMODE === true && read.ENCRYPTION_KEYS === null
      ? [
          "ENCRYPTION_KEYS is needed in production (LIVEMODE=true): a key that is stored next to the data protects nothing; make one with: openssl rand -base64 32",
        ]
      : []),
  ]);
  return Object.freeze({
    values,
    env,
    dataDir: resolve(import.meta.dirname, "../../..", values.DATA_DIR),
    // A host name instead of an address, because passkeys need one.
    authUrl: values.AUTH_URL ?? `http://localhost:${values.AUTH_PORT}`,
    apiUrl: values.API_URL ?? `http://127.0.0.1:${values.GATEWAY_PORT}`,
    // With a public address of the API, the services have public addresses too, which are not known here.
    serviceUrls: values.API_URL === null ? urlsOf(values.SERVICE_PORTS) : {},
  });
}

function urlsOf(ports: ServicePorts): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(ports).map(([service, port]) => [service, `http://127.0.0.1:${port}`]));
}

/** The settings of all ports, in the order in which ports are assigned. */
const portSettings = [
  "GATEWAY_PORT",
  "METRICS_PORT",
  "AUTH_PORT",
  "AUTH_METRICS_PORT",
  "DISPATCHER_METRICS_PORT",
  "WORKER_METRICS_PORT",
  "RECEIVER_PORT",
  "DOCS_PORT",
  "CONSOLE_PORT",
  "CONSOLE_METRICS_PORT",
] as const;

/** A console in production needs all of its settings. */
function checkOwnConsole(read: Partial<LocalSettingValues>): string[] {
  const isWanted = read.LIVEMODE === true && typeof read.CONSOLE_URL === "string";
  return (["CONSOLE_DATABASE_URL", "CONSOLE_SESSION_KEYS"] as const)
    .filter((name) => isWanted && read[name] === null)
    .map((name) => `${name} is needed with CONSOLE_URL in production (LIVEMODE=true)`);
}

/** Ports by the names that faults use. */
function portsByName({ SERVICE_PORTS, ...read }: Partial<LocalSettingValues>): Partial<Record<string, number>> {
  const own = portSettings.map((name) => [name, read[name]]);
  const ofServices = Object.entries(SERVICE_PORTS ?? {}).map(([service, port]) => [namePortOf(service), port]);
  return Object.fromEntries([...own, ...ofServices]);
}

/** Whether a console runs: not in production without its settings, nor on an external database. */
export function hasConsole(values: LocalSettingValues): boolean {
  const isMade = !values.LIVEMODE && (values.DATABASE_URL === null || values.CONSOLE_DATABASE_URL !== null);
  return isMade || [values.CONSOLE_URL, values.CONSOLE_CLIENT_SECRET, values.CONSOLE_DATABASE_URL].every(Boolean);
}

/** All ports that are opened here. Production runs no receiver. */
export function portsOf({ values }: LocalConfig): Ports {
  const absent = [
    ...(values.LIVEMODE ? ["RECEIVER_PORT"] : []),
    ...(hasConsole(values) ? [] : ["CONSOLE_PORT", "CONSOLE_METRICS_PORT"]),
  ];
  const names = Object.entries(portsByName(values)).filter(([name]) => !absent.includes(name));
  return Object.fromEntries(
    names.map(([name, port = 0]) => {
      const hostSetting = name === "RECEIVER_PORT" ? "RECEIVER_HOST" : "HOST";
      return [name, { host: values[hostSetting], port, hostSetting }];
    }),
  );
}
