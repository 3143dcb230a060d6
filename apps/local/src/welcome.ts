import { hostForUrl } from "@gateway/process";
import type { RunningSystem } from "./app.ts";
import type { LocalConfig } from "./config.ts";
import type { Demo } from "./demo.ts";

/** What `npm start` says when everything runs; the last line is a command that works. */
export function welcome(config: LocalConfig, system: RunningSystem): string {
  const { values, dataDir, authUrl } = config;
  const api = `http://${hostForUrl(values.HOST)}:${system.port}`;
  return [
    "",
    `Gateway runs (${values.LIVEMODE ? "production" : "sandbox"}).`,
    "",
    `  API       ${api}/api/v1`,
    `  Sign in   ${authUrl}/account`,
    `  Docs      ${system.docs.url}`,
    ...(system.receiver === null ? [] : [`  Receiver  ${system.receiver.url} (prints the webhooks that it gets)`]),
    `  Health    http://${hostForUrl(values.HOST)}:${system.metricsPort}/readyz`,
    `            http://${hostForUrl(values.HOST)}:${system.authMetricsPort}/readyz (identity provider)`,
    `            http://${hostForUrl(values.HOST)}:${system.dispatcherMetricsPort}/readyz (dispatcher)`,
    `  Mail      ${values.SMTP_URL === null ? `files in ${dataDir}/mail, for no SMTP_URL is set` : "through SMTP_URL"}`,
    `  Data      ${values.DATABASE_URL === null ? dataDir : "the database of DATABASE_URL"}`,
    ...(values.RETRY_TIME_SCALE === 1
      ? []
      : [`  Retries   ${values.RETRY_TIME_SCALE} times sooner than the schedule says`]),
    "",
    ...(system.demo === null ? laterStart() : firstStart(api, system.demo, system.receiver)),
  ].join("\n");
}

function firstStart(api: string, { key, email, password }: Demo, receiver: RunningSystem["receiver"]): string[] {
  return [
    "A demo account was made. This is its admin key, and who can sign in; secrets are shown only now:",
    "",
    `  ${key}`,
    `  ${email}  password ${password}`,
    "",
    "See an application get access with OAuth, in another terminal:",
    "",
    "npm run --silent demo:oauth",
    "",
    ...(receiver === null ? [] : deliveryToReceiver(api, key, receiver)),
    "List its wallets:",
    "",
    `curl -s -H "X-API-Key: ${key}" ${api}/api/v1/wallets`,
  ];
}

/** README.md has the same two lines, for the default ports. */
function deliveryToReceiver(
  api: string,
  key: string,
  { url, secretFile }: NonNullable<RunningSystem["receiver"]>,
): string[] {
  const post = `curl -s -H "X-API-Key: ${key}" -H "Content-Type: application/json"`;
  return [
    "See a signed webhook arrive here: create one for the receiver, then a wallet, in another terminal:",
    "",
    `${post} -d '{"url":"${url}","events":["wallet.created"]}' ${api}/api/v1/webhooks | tee -a ${quoteForShell(secretFile)}`,
    `${post} -d '{"name":"Payroll","currency":"EUR"}' ${api}/api/v1/wallets`,
    "",
  ];
}

function laterStart(): string[] {
  return [
    "Keys are shown only when they are made. Find your account and make another:",
    "",
    "npm run --silent admin -- accounts list",
  ];
}

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
