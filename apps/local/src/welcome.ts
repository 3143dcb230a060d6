import { hostForUrl } from "@gateway/process";
import type { RunningSystem } from "./app.ts";
import type { LocalConfig } from "./config.ts";
import type { Demo } from "./demo.ts";

/** The text that `npm start` prints when everything runs. The last line is a command that works. */
export function welcome(config: LocalConfig, system: RunningSystem): string {
  const { values, dataDir, authUrl } = config;
  const api = `http://${hostForUrl(values.HOST)}:${system.port}`;
  return [
    "",
    `Gateway runs (${values.LIVEMODE ? "production" : "sandbox"}).`,
    "",
    `  API       ${api}/api/v1`,
    ...directLines(values.HOST, system.directPorts),
    `  Sign in   ${authUrl}/account`,
    ...(system.console === null ? [] : [`  Console   ${system.console.url}`]),
    `  Docs      ${system.docs.url}`,
    ...(system.receiver === null ? [] : [`  Receiver  ${system.receiver.url} (prints the webhooks that it gets)`]),
    `  Health    http://${hostForUrl(values.HOST)}:${system.metricsPort}/readyz`,
    `            http://${hostForUrl(values.HOST)}:${system.authMetricsPort}/readyz (identity provider)`,
    `            http://${hostForUrl(values.HOST)}:${system.dispatcherMetricsPort}/readyz (dispatcher)`,
    `            http://${hostForUrl(values.HOST)}:${system.workerMetricsPort}/readyz (worker)`,
    ...(system.console === null
      ? []
      : [`            http://${hostForUrl(values.HOST)}:${system.console.metricsPort}/readyz (console)`]),
    `  Mail      ${values.SMTP_URL === null ? `files in ${dataDir}/mail, because SMTP_URL is not set` : "through SMTP_URL"}`,
    `  Data      ${values.DATABASE_URL === null ? dataDir : "the database of DATABASE_URL"}`,
    ...(values.RETRY_TIME_SCALE === 1
      ? []
      : [`  Retries   ${values.RETRY_TIME_SCALE} times sooner than the schedule says`]),
    "",
    ...(system.demo === null ? laterStart() : firstStart(api, system.demo, system.receiver)),
  ].join("\n");
}

/** The services at their direct addresses, in the order of their ports. */
function directLines(host: string, ports: RunningSystem["directPorts"]): string[] {
  return Object.entries(ports).map(
    ([service, port], index) =>
      `  ${index === 0 ? "Services" : "        "}  http://${hostForUrl(host)}:${port}/api/v1 (${service})`,
  );
}

function firstStart(api: string, demo: Demo, receiver: RunningSystem["receiver"]): string[] {
  const { key, email, otherEmail, password } = demo;
  return [
    "A demo account was created, with money that is not real. These are its admin key and its two owners. Secrets are shown only now:",
    "",
    `  ${key}`,
    `  ${email}  password ${password}`,
    `  ${otherEmail}  the same password`,
    "",
    "Give an application access with OAuth, in another terminal:",
    "",
    "npm run --silent demo:oauth",
    "",
    ...(receiver === null ? [] : deliveryToReceiver(api, demo, receiver)),
    "See the account's value, advance its clock by a day, and see the value again:",
    "",
    `curl -s -H "X-API-Key: ${key}" ${api}/api/v1/portfolio`,
    `curl -s -H "X-API-Key: ${key}" -H "Content-Type: application/json" -d '{"seconds":86400}' ${api}/api/v1/sandbox/clock/advance`,
    "",
    "List its wallets:",
    "",
    `curl -s -H "X-API-Key: ${key}" ${api}/api/v1/wallets`,
  ];
}

/** README.md has the same three lines, for the default ports. */
function deliveryToReceiver(
  api: string,
  { key, payment: { walletId, counterpartyId } }: Demo,
  { url, secretFile }: NonNullable<RunningSystem["receiver"]>,
): string[] {
  const post = `curl -s -H "X-API-Key: ${key}" -H "Content-Type: application/json"`;
  return [
    "See signed webhooks arrive here. In another terminal, create a webhook for the receiver, then a wallet and a payment.",
    "The payment is initiated at once, and settled 15 seconds later:",
    "",
    `${post} -d '{"url":"${url}","events":["wallet.created","payment.initiated","payment.settled"]}' ${api}/api/v1/webhooks | tee -a ${quoteForShell(secretFile)}`,
    `${post} -d '{"name":"Payroll","currency":"EUR"}' ${api}/api/v1/wallets`,
    `${post} -d '{"walletId":"${walletId}","amount":1250,"destination":{"counterpartyId":"${counterpartyId}"}}' ${api}/api/v1/payments`,
    "",
  ];
}

function laterStart(): string[] {
  return [
    "Keys are shown only when they are created. Find your account, and create another key:",
    "",
    "npm run --silent admin -- accounts list",
  ];
}

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
