import type { RunningSystem } from "./app.ts";
import type { LocalConfig } from "./config.ts";

/** What `npm start` says when everything runs; the last line is a command that works. */
export function welcome({ values, dataDir }: LocalConfig, { port, metricsPort, demoKey }: RunningSystem): string {
  const api = `http://${hostForUrl(values.HOST)}:${port}`;
  return [
    "",
    `Gateway runs (${values.LIVEMODE ? "production" : "sandbox"}).`,
    "",
    `  API       ${api}/api/v1`,
    `  Health    http://${hostForUrl(values.HOST)}:${metricsPort}/readyz`,
    `  Data      ${values.DATABASE_URL === null ? dataDir : "the database of DATABASE_URL"}`,
    "",
    ...(demoKey === null ? laterStart() : firstStart(api, demoKey)),
  ].join("\n");
}

function firstStart(api: string, demoKey: string): string[] {
  return [
    "A demo account was made. This is its admin key, shown only now:",
    "",
    `  ${demoKey}`,
    "",
    "List its wallets:",
    "",
    `curl -s -H "X-API-Key: ${demoKey}" ${api}/api/v1/wallets`,
  ];
}

function laterStart(): string[] {
  return [
    "Keys are shown only when they are made. Find your account and make another:",
    "",
    "npm run --silent admin -- accounts list",
  ];
}

function hostForUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") {
    return "127.0.0.1";
  }
  return host.includes(":") ? `[${host}]` : host;
}
