import { originSetting, readSettings, textSetting, type SettingValues } from "@gateway/kernel";
import { portSetting } from "@gateway/process";
import type { Addresses } from "./pages/put-addresses.ts";

export const docsSettings = {
  DOCS_PORT: portSetting({ description: "Port of the documentation", default: 8082 }),
};

export type DocsConfig = {
  port: number;
  host: string;
  /** Addresses for the samples. With null, the samples keep the names of environment variables. */
  addresses?: Addresses | null;
};
export type DocsSettingValues = SettingValues<typeof docsSettings>;

export const docsProgramSettings = {
  ...docsSettings,
  HOST: textSetting({ description: "Address to listen on", default: "127.0.0.1" }),
  API_URL: originSetting({ description: "Public address of the API, for samples", default: "none" }),
  AUTH_URL: originSetting({ description: "Public address of the identity provider, for samples", default: "none" }),
  CONSOLE_URL: originSetting({
    description: "Public address of the console, with both: each operation leads there to be tried",
    default: "none",
  }),
};

/** Throws a ConfigurationError that lists every fault. */
export function readDocsConfig(env: Readonly<Record<string, string | undefined>>): DocsConfig {
  const values = readSettings(docsProgramSettings, env);
  const { HOST: host, API_URL: gatewayUrl, AUTH_URL: authUrl, CONSOLE_URL: consoleUrl } = values;
  return docsConfigOf(values, {
    host,
    addresses: gatewayUrl !== null && authUrl !== null ? { gatewayUrl, authUrl, consoleUrl } : null,
  });
}

export function docsConfigOf(values: DocsSettingValues, found: Omit<DocsConfig, "port">): DocsConfig {
  return Object.freeze({ port: values.DOCS_PORT, ...found });
}
