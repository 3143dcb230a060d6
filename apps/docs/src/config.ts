import { readSettings, textSetting, type SettingValues } from "@gateway/kernel";
import { portSetting } from "@gateway/process";

export const docsSettings = {
  DOCS_PORT: portSetting({ description: "Port of the documentation", default: 8082 }),
};

export type DocsConfig = { port: number; host: string };
export type DocsSettingValues = SettingValues<typeof docsSettings>;

/** Throws a ConfigurationError that lists every fault. */
export function readDocsConfig(env: Readonly<Record<string, string | undefined>>): DocsConfig {
  const settings = {
    ...docsSettings,
    HOST: textSetting({ description: "Address to listen on", default: "127.0.0.1" }),
  };
  const values = readSettings(settings, env);
  return docsConfigOf(values, { host: values.HOST });
}

export function docsConfigOf(values: DocsSettingValues, found: { host: string }): DocsConfig {
  return Object.freeze({ port: values.DOCS_PORT, ...found });
}
