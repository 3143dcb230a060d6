import { createTestFolder, startScript } from "@gateway/testkit";
import { existsSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const local = "apps/local/src/main.ts";
const gateway = "apps/gateway/src/main.ts";
const dispatcher = "apps/dispatcher/src/main.ts";
const worker = "apps/worker/src/main.ts";
const receiver = "apps/receiver/src/main.ts";
const auth = "apps/auth/src/main.ts";
const console_ = "apps/console/src/main.ts";

/**
 * Wrong settings of the gateway, and then wrong settings that only `npm start` and the dispatcher or the receiver read.
 */
const wrong = {
  SERVICES: "custdy",
  METRICS_PORT: "70000",
  LIVEMODE: "yes",
  REDIS_URL: "http://localhost:6379",
  ENCRYPTION_KEYS: "c2hvcnQ=",
  TRUSTED_PROXIES: "10.0.0.0/8,proxy.example",
  AUTH_URL: "https://auth.example.com/",
  API_URL: "api.example.com",
  WEBHOOK_ALLOWED_HOSTS: "localhost,https://localhost",
  LOG_LEVEL: "loud",
};
const wrongReceiver = { RECEIVER_PORT: "-1", RECEIVER_CERTIFICATE_FILE: "certificate.pem" };
const wrongBeside = {
  SERVICE_PORTS: "custody",
  AUTH_PORT: "0",
  AUTH_METRICS_PORT: "none",
  DISPATCHER_METRICS_PORT: "0",
  DISPATCHER_SLOTS: "many",
  WORKER_METRICS_PORT: "70000",
  WORKER_SLOTS: "1",
  CONSOLE_METRICS_PORT: "0",
  CONSOLE_SESSION_KEYS: "c2hvcnQ=",
  RETRY_TIME_SCALE: "0.5",
  SMTP_URL: "http://u:hunter2@mail",
  ...wrongReceiver,
};

const mail = { SMTP_URL: "smtps://mail.example.com", MAIL_FROM: "gateway@example.com" };
const unsafe = { NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_OPTIONS: "--enable-source-maps --inspect=127.0.0.1:0" };
const needed = {
  DATABASE_URL: "postgres://127.0.0.1:1/none",
  ENCRYPTION_KEYS: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
};
const live = { LIVEMODE: "true", ...needed };
const forSandbox = { RETRY_TIME_SCALE: "60", WEBHOOK_ALLOWED_HOSTS: "localhost", WEBHOOK_EXTRA_CA: "ca.pem" };
const namesForSandbox = [...Object.keys(forSandbox), "ENCRYPTION_KEYS", "SMTP_URL", "AUTH_URL", "API_URL"];
const addresses = { AUTH_URL: "https://auth.example.com", API_URL: "https://api.example.com" };

const neededByConsole = [
  ...["CONSOLE_DATABASE_URL", "CONSOLE_SESSION_KEYS", "CONSOLE_URL"],
  ...["CONSOLE_CLIENT_SECRET", "AUTH_URL", "API_URL"],
];

/** Each program with an environment and the settings that its message must name. */
const faults: [name: string, script: string, env: Record<string, string>, named: readonly string[]][] = [
  [
    "npm start, everything wrong",
    local,
    { ...wrong, ...wrongBeside, DATABASE_URL: "mysql://u:hunter2@h/d" },
    [...Object.keys({ ...wrong, ...wrongBeside }), "DATABASE_URL"],
  ],
  ["npm start, one thing wrong", local, { LOG_LEVEL: "loud" }, ["LOG_LEVEL"]],
  [
    "npm start, production without a key of its own",
    local,
    { LIVEMODE: "true", ...mail, ...addresses },
    ["ENCRYPTION_KEYS"],
  ],
  ["npm start, production with what is for the sandbox", local, { LIVEMODE: "true", ...forSandbox }, namesForSandbox],
  [
    "the gateway, everything wrong",
    gateway,
    { ...wrong, DATABASE_URL: "mysql://u:hunter2@h/d" },
    [...Object.keys(wrong), "DATABASE_URL"],
  ],
  ["the gateway, nothing given", gateway, {}, ["DATABASE_URL", "ENCRYPTION_KEYS"]],
  [
    "the gateway, production over http",
    gateway,
    {
      LIVEMODE: "true",
      AUTH_URL: "http://auth.example.com",
      API_URL: "http://api.example.com",
      JWKS_URL: "http://auth/j",
    },
    ["DATABASE_URL", "ENCRYPTION_KEYS", "AUTH_URL", "API_URL", "JWKS_URL"],
  ],
  ["the identity provider, nothing given", auth, {}, ["DATABASE_URL", "ENCRYPTION_KEYS"]],
  [
    "the identity provider, production over http",
    auth,
    { LIVEMODE: "true", AUTH_URL: "http://auth.example.com", API_URL: "http://api.example.com" },
    ["DATABASE_URL", "ENCRYPTION_KEYS", "AUTH_URL", "API_URL"],
  ],
  [
    "the identity provider, production without its addresses",
    auth,
    { LIVEMODE: "true" },
    ["DATABASE_URL", "ENCRYPTION_KEYS", "AUTH_URL", "API_URL"],
  ],
  ["the console, nothing given", console_, {}, neededByConsole],
  [
    "the console, production over http",
    console_,
    { LIVEMODE: "true", CONSOLE_URL: "http://console.example.com" },
    neededByConsole,
  ],
  ["the dispatcher, nothing given", dispatcher, {}, ["DATABASE_URL", "ENCRYPTION_KEYS"]],
  ["the worker, nothing given", worker, {}, ["DATABASE_URL", "ENCRYPTION_KEYS"]],
  ["the worker, an outside of its own in the sandbox", worker, { ...needed, PORTS: "ports.js" }, ["PORTS"]],
  ["the worker, production with what undoes TLS", worker, { ...live, ...unsafe }, Object.keys(unsafe)],
  ["the gateway, production with what undoes TLS", gateway, { ...live, ...addresses, ...unsafe }, Object.keys(unsafe)],
  [
    "the identity provider, production with what undoes TLS",
    auth,
    { ...live, ...addresses, ...unsafe },
    Object.keys(unsafe),
  ],
  [
    "the dispatcher, production with what undoes TLS",
    dispatcher,
    { ...live, ...mail, SMTP_URL: "smtp://mail.example.com", ...unsafe },
    ["SMTP_URL", ...Object.keys(unsafe)],
  ],
  [
    "the dispatcher, production with a mail server whose certificate nobody checks",
    dispatcher,
    { ...live, ...mail, SMTP_URL: "smtps://mail.example.com?tls.rejectUnauthorized=false" },
    ["SMTP_URL"],
  ],
  [
    "the gateway, proxies that no parser takes",
    gateway,
    { ...needed, TRUSTED_PROXIES: "10.0.0.0/0" },
    ["TRUSTED_PROXIES"],
  ],
  ["the receiver in production", receiver, { LIVEMODE: "true" }, ["LIVEMODE"]],
  ["the receiver, everything wrong", receiver, wrongReceiver, Object.keys(wrongReceiver)],
];

describe("a bad configuration stops the start with one message, and nothing was begun", () => {
  /** A server that holds the configured port. A program that tried to listen would complain about that instead. */
  let holder: Server;
  let port: string;
  let dataDir: string;

  beforeAll(async () => {
    holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    port = String((holder.address() as AddressInfo).port);
    dataDir = join(await createTestFolder(), "data");
  });
  afterAll(() => new Promise((resolve) => holder.close(resolve)));

  test.each(faults)("%s", async (_name, script, env, named) => {
    const program = startScript(script, [], { env: { GATEWAY_PORT: port, DATA_DIR: dataDir, ...env } });
    expect(await program.exited).toBe(1);
    expect(program.stdout()).toBe("");
    expect(namesIn(program.stderr())).toEqual(named.toSorted());
    expect(program.stderr()).toContain(named.length === 1 ? "has a fault:" : `has ${named.length} faults:`);
    expect(program.stderr()).not.toContain("hunter2");
    expect(existsSync(dataDir)).toBe(false);
  });

  test("the same port twice is a fault", async () => {
    const env = { GATEWAY_PORT: port, METRICS_PORT: port, DATA_DIR: dataDir, ...needed };
    const program = startScript(local, [], { env });
    expect(await program.exited).toBe(1);
    expect(namesIn(program.stderr())).toEqual(["METRICS_PORT"]);
  });
});

/** The settings with which the lines of a configuration message begin. */
function namesIn(message: string): string[] {
  return Array.from(message.matchAll(/^ {2}- (?<name>[A-Z_]+) /gm), ({ groups }) => groups?.["name"] ?? "").toSorted();
}
