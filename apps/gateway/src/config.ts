import { services, type Service } from "@gateway/contract";
import {
  booleanSetting,
  encryptionKeysSetting,
  integerSetting,
  listSetting,
  logConfigOf,
  logSettings,
  originSetting,
  readSettings,
  textSetting,
  databaseUrlSetting,
  urlSetting,
  type LogConfig,
  type SettingValues,
} from "@gateway/kernel";
import { checkUpstreams, upstreamsConfigOf, upstreamSettings, type UpstreamsConfig } from "@gateway/forwarding";
import { trustedProxiesSetting } from "@gateway/limits";
import { checkPortsModule, portsModuleOf, portsSetting, type PortsModule } from "@gateway/platform/compose/load-ports";
import { checkWebhookAllowedHosts, webhookAllowedHostsSetting } from "@gateway/platform/events";
import { usualRequestLogDays } from "@gateway/platform/request-log";
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
import { suggest } from "./validation/suggest.ts";

export const gatewaySettings = {
  GATEWAY_PORT: portSetting({ description: "Port of the API", default: 8080 }),
  METRICS_PORT: portSetting({
    description: "Port of `/livez`, `/readyz` and `/metrics`; do not publish it",
    default: 9464,
  }),
  HOST: textSetting({
    description: "Address to listen on, for both ports; `0.0.0.0` in a container",
    default: "127.0.0.1",
  }),
  SERVICES: listSetting({
    description:
      "For `npm run gateway` alone: the services that it serves, separated by commas. The gateway's own paths are then left out",
    default: "everything",
    entry: `services (${services.join(", ")})`,
    isValid: isService,
    suggest: (entry) => suggest(entry, services),
  }),
  LIVEMODE: booleanSetting({
    description: "`true` is production: live keys only, and secrets have no defaults",
    default: false,
  }),
  DATABASE_URL: databaseUrlSetting({
    description: "Postgres 15 or later",
    default: "needed",
  }),
  ...databaseSettings("10"),
  REDIS_URL: urlSetting({
    description: "Redis that counts rate limits for all processes",
    default: "limits are counted in memory, for one process",
    schemes: ["redis", "rediss"],
  }),
  ENCRYPTION_KEYS: encryptionKeysSetting({
    description:
      "32 random bytes in base64. They encrypt stored secrets and sign cursors. To rotate, put the new key first, separated by a comma",
    default: "needed",
  }),
  TRUSTED_PROXIES: trustedProxiesSetting,
  WEBHOOK_ALLOWED_HOSTS: webhookAllowedHostsSetting,
  AUTH_URL: originSetting({
    description: "Public address of the identity provider: the issuer of the access tokens that are believed",
    default: "no access tokens are accepted",
  }),
  API_URL: originSetting({
    description:
      "Public address of this API: the audience of the access tokens that are believed; needed with `AUTH_URL`",
    default: "none",
  }),
  JWKS_URL: urlSetting({
    description: "Address of the identity provider's keys, if `AUTH_URL` is not reachable from here",
    default: "`/api/v1/jwks` at `AUTH_URL`",
    schemes: ["https", "http"],
  }),
  REQUEST_LOG_DAYS: integerSetting({
    description: "Days for which requests are kept and shown to their account. Counts are kept for 400 days",
    default: usualRequestLogDays,
    min: 1,
    max: 90,
  }),
  PORTS: portsSetting,
  ...upstreamSettings,
  DOCS_URL: urlSetting({
    description: "Public address of the documentation: refusals link the page of their code there",
    default: "no links",
    schemes: ["https", "http"],
  }),
  ...logSettings,
};

export type GatewaySettingValues = SettingValues<typeof gatewaySettings>;

/** The identity provider whose access tokens are believed. */
export type AuthProvider = {
  authUrl: string;
  apiUrl: string;
  jwksUrl: string;
};

export type GatewayConfig = LogConfig &
  DatabaseConfig &
  UpstreamsConfig & {
    port: number;
    metricsPort: number;
    host: string;
    /** Services whose paths are mounted at `port`; null for all services. */
    services: readonly Service[] | null;
    /** Ports of the direct addresses of this process, in addition to `port`. Each serves the paths of one service. */
    directPorts: Readonly<Partial<Record<Service, number>>>;
    livemode: boolean;
    databaseUrl: string;
    redisUrl: string | null;
    /** The first one encrypts, all decrypt. */
    encryptionKeys: readonly Buffer[];
    trustedProxies: readonly string[];
    /** Hosts that webhooks may name although they are not public; empty in production. */
    webhookAllowedHosts: readonly string[];
    /** Without a slash at the end. Null: refusals link no pages. */
    docsUrl: string | null;
    /** Null: access tokens are refused. */
    authProvider: AuthProvider | null;
    requestLogDays: number;
    /** Null: external systems are simulated, or there are none. */
    portsModule: PortsModule | null;
  };

/** Throws a ConfigurationError that lists every fault. */
export function readGatewayConfig(env: Readonly<Record<string, string | undefined>>): GatewayConfig {
  const values = readSettings(gatewaySettings, env, (read) => [
    ...checkEnvironment(env, read),
    ...checkRequiredSettings(read, { keys: "own" }),
    ...checkPortsDiffer(read, ["GATEWAY_PORT", "METRICS_PORT"]),
    ...checkWebhookAllowedHosts(read),
    ...checkAuthProvider(read),
    ...checkPortsModule(read),
    ...checkUpstreams(read),
  ]);
  return gatewayConfigOf(values, { ...requiredSettingsOf(values), env });
}

/** Tokens and the keys that verify them travel encrypted. Otherwise anyone on the path could forge tokens. */
export function checkAuthProvider(read: Partial<GatewaySettingValues>): string[] {
  const missing: string[] = [];
  if (read.API_URL === null && read.AUTH_URL) {
    missing.push("API_URL is needed with AUTH_URL: it is the audience that access tokens must name");
  }
  if (read.AUTH_URL === null && read.API_URL) {
    missing.push("AUTH_URL is needed with API_URL: it is the issuer that access tokens must name");
  }
  if (read.AUTH_URL === null && read.JWKS_URL) {
    missing.push("JWKS_URL says where the keys of AUTH_URL are, which is not set");
  }
  const plain = (["AUTH_URL", "API_URL", "JWKS_URL"] as const).filter(
    (name) => read.LIVEMODE === true && read[name]?.startsWith("http:"),
  );
  return [...missing, ...plain.map((name) => `${name} must begin with https:// in production (LIVEMODE=true)`)];
}

/** `env` holds the settings that the module of `PORTS` reads itself. */
export function gatewayConfigOf(
  values: GatewaySettingValues,
  { databaseUrl, encryptionKeys, env }: RequiredSettings & { env: Readonly<Record<string, string | undefined>> },
): GatewayConfig {
  return Object.freeze({
    port: values.GATEWAY_PORT,
    metricsPort: values.METRICS_PORT,
    host: values.HOST,
    services: values.SERVICES.length === 0 ? null : values.SERVICES.filter(isService),
    directPorts: {},
    livemode: values.LIVEMODE,
    redisUrl: values.REDIS_URL,
    trustedProxies: values.TRUSTED_PROXIES,
    webhookAllowedHosts: values.WEBHOOK_ALLOWED_HOSTS,
    docsUrl: values.DOCS_URL?.replace(/\/+$/, "") ?? null,
    authProvider: authProviderOf(values),
    ...logConfigOf(values),
    ...databaseConfigOf(values),
    requestLogDays: values.REQUEST_LOG_DAYS,
    portsModule: portsModuleOf(values, env),
    ...upstreamsConfigOf(values),
    databaseUrl,
    encryptionKeys,
  });
}

function authProviderOf({ AUTH_URL, API_URL, JWKS_URL }: GatewaySettingValues): AuthProvider | null {
  return AUTH_URL === null || API_URL === null
    ? null
    : { authUrl: AUTH_URL, apiUrl: API_URL, jwksUrl: JWKS_URL ?? `${AUTH_URL}/api/v1/jwks` };
}

function isService(name: string): name is Service {
  return services.some((service) => service === name);
}
