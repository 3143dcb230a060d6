import { ConfigurationError, integerSetting, readSettings, textSetting, urlSetting } from "@gateway/kernel";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** The port of the redirect. The demo application of `npm start` is registered for it. */
const demoRedirectPort = 8765;

export const demoSettings = {
  DATA_DIR: textSetting({ description: "Folder in which `npm start` left the demo application", default: ".data" }),
  AUTH_URL: urlSetting({
    description: "Address of the identity provider",
    default: "that of the demo application",
    schemes: ["http", "https"],
  }),
  API_URL: urlSetting({
    description: "Address of the gateway",
    default: "that of the demo application",
    schemes: ["http", "https"],
  }),
  CLIENT_ID: textSetting({ description: "Id of the OAuth application", default: "" }),
  REDIRECT_PORT: integerSetting({
    description: "Port on 127.0.0.1 at which the application's redirect URI is",
    default: demoRedirectPort,
    min: 1,
    max: 65535,
  }),
};

type DemoApplication = { clientId: string; authUrl: string; apiUrl: string };

export type DemoConfig = DemoApplication & { redirectPort: number };

/**
 * The application that `npm start` created and noted in DATA_DIR, unless the environment names another. Throws a
 * ConfigurationError.
 */
export function readDemoConfig(env: Readonly<Record<string, string | undefined>>): DemoConfig {
  const values = readSettings(demoSettings, env);
  const file = resolve(import.meta.dirname, "../../..", values.DATA_DIR, demoApplicationFile);
  const noted = readNote(file);
  const clientId = values.CLIENT_ID || noted?.clientId;
  const authUrl = values.AUTH_URL ?? noted?.authUrl;
  const apiUrl = values.API_URL ?? noted?.apiUrl;
  if (!clientId || !authUrl || !apiUrl) {
    throw new ConfigurationError([
      `There is no demo application in ${file}. Run npm start first, or set CLIENT_ID, AUTH_URL and API_URL for an application whose redirect URI is http://127.0.0.1:${values.REDIRECT_PORT}/callback.`,
    ]);
  }
  return Object.freeze({ clientId, authUrl, apiUrl, redirectPort: values.REDIRECT_PORT });
}

/** A file in DATA_DIR, written by `npm start`. */
const demoApplicationFile = "demo-application.json";

function readNote(file: string): Partial<DemoApplication> | null {
  try {
    const note: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof note === "object" ? note : null;
  } catch {
    return null;
  }
}
