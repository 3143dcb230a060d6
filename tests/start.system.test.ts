import { problemCodes, services } from "@gateway/contract";
import { findEmbeddedUrl } from "@gateway/database";
import { createTestFolder, startProcess, type TestProcess, waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createBrowser } from "../apps/auth/test/support/browser.ts";
import { createSecretWatch } from "../apps/auth/test/support/secret-watch.ts";
import { followLinks } from "./support/follow-links.ts";
import {
  createCaller,
  localEnvironment,
  npmStart,
  runAdmin,
  runCommand,
  runShell,
  type LocalSystem,
} from "./support/local-system.ts";

const stackLine = /^ {4}at /m;
/** Newest first. */
const demoWallets = {
  data: [
    { currency: "USDC", balance: { available: 10_000_000_000, pending: 0, held: 0 } },
    { currency: "BTC", balance: { available: 72_498_000, pending: 5_000_000, held: 2_502_000 } },
    { currency: "USD", balance: { available: 5_000_000, pending: 0, held: 50_100 } },
    { currency: "EUR", balance: { available: 2_500_000, pending: 0, held: 0 } },
  ],
  meta: { requestId: expect.stringMatching(/^req_/), timestamp: expect.any(String), hasMore: false, nextCursor: null },
};

let running: LocalSystem[] = [];

afterEach(async () => {
  await Promise.all(running.map(({ program }) => program.destroy()));
  running = [];
});

/** Starts a program that the hooks stop. */
async function start(dataDir: string, env: Record<string, string> = {}): Promise<LocalSystem> {
  const system = await npmStart({ dataDir, env });
  running.push(system);
  return system;
}

/** Presses Ctrl-C at the terminal: the signal goes to npm and to the program behind it. */
async function stop({ program }: LocalSystem): Promise<void> {
  program.signal("SIGINT");
  await program.exited;
}

async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const answer = await Promise.race([
    once(socket, "connect").then(() => true),
    new Promise<boolean>((resolve) => socket.once("error", () => resolve(false))),
  ]).catch(() => false);
  socket.destroy();
  return answer;
}

/** The errors that were printed, without npm's remarks on the machine's own settings. */
function complaintsOf(program: TestProcess): string {
  return program.stderr().replaceAll(/^npm warn .*\n/gm, "");
}

/** The id of the demo account. */
async function accountOf(system: LocalSystem, welcome: string): Promise<string> {
  const [key = ""] = /gk_test_\w+/.exec(welcome) ?? [];
  return ((await (await get(system, "/api/v1/account", key)).json()) as { data: { id: string } }).data.id;
}

function get(system: LocalSystem, path: string, key: string): Promise<Response> {
  return fetch(`${system.api}${path}`, { headers: { "X-API-Key": key } });
}

/**
 * The tests continue from one another, in the order of this file, because a first start would be most of the time of
 * each.
 */
describe("npm start", () => {
  let dataDir: string;
  let system: LocalSystem;

  beforeAll(async () => {
    dataDir = await createTestFolder();
    system = await npmStart({ dataDir });
  });
  afterAll(() => system?.program.destroy());

  test("ends with a curl line that works as it is printed", async () => {
    const lines = system.program.stdout().trimEnd().split("\n");
    const command = lines.at(-1) ?? "";
    expect(command).toMatch(/^curl /);
    expect(JSON.parse(await runShell(command))).toMatchObject(demoWallets);
    expect(await runShell(`${command} -o /dev/null -w '%{http_code}'`)).toBe("200");
    expect(complaintsOf(system.program)).toBe("");
  });

  test("the link of a refusal leads to the page of its code, once the site is built", async () => {
    const refusal = (await (await fetch(`${system.api}/api/v1/wallets`)).json()) as { error: { docsUrl: string } };
    const { docsUrl } = refusal.error;
    expect(new URL(docsUrl).pathname).toBe("/errors/UNAUTHENTICATED");
    await waitFor(async () => (await fetch(docsUrl)).status !== 503, { timeoutMs: 300_000, intervalMs: 200 });
    const page = await fetch(docsUrl);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("UNAUTHENTICATED");
  });

  test("every link that a program gives leads to a page: of each refusal, of the sign-in and account pages, of the welcome", async () => {
    const welcome = system.program.stdout();
    const linkOf = (name: string): string => new RegExp(`^  ${name} +(\\S+)$`, "m").exec(welcome)?.[1] ?? "";
    const [account, console, docs] = [linkOf("Sign in"), linkOf("Console"), linkOf("Docs")];
    const docsOf = async (url: string): Promise<string> =>
      ((await (await fetch(url)).json()) as { error: { docsUrl: string } }).error.docsUrl;
    const refusals = [`${system.api}/api/v1/none`, `${new URL(console).origin}/api/none`, `${system.api}/%`];
    const codes = Object.keys(problemCodes).map((code) => `${new URL(docs).origin}/errors/${code}`);
    const [, email = "", password = ""] = /^  (\S+@\S+)  password (\S+)$/m.exec(welcome) ?? [];
    const origin = new URL(account).origin;
    const browser = createBrowser({ origin, ports: () => [Number(new URL(origin).port)], watch: createSecretWatch() });
    // First signed out, then as the owner of the demo, whose account has its first key.
    const first = [account, `${origin}/sign-up`, console, docs, ...codes, ...(await Promise.all(refusals.map(docsOf)))];
    const follower = { open: browser.open, origin, skip: /sign-out|\/auth\?/ };
    const asNobody = await followLinks(first, follower);
    const signedIn = await browser.submit((await browser.open(account)).forms[0], { email, password });
    expect(signedIn.html).toContain(email);
    const firstKey = `${origin}/account/first-key/${await accountOf(system, welcome)}`;
    const asOwner = await followLinks([account, firstKey], follower);
    expect([...asNobody, ...asOwner].filter(({ status }) => status !== 200)).toEqual([]);
    expect(asOwner.map(({ href }) => href)).toContain(`${new URL(docs).origin}/guides/first-call`);
  });

  test("each service answers at the direct address that is printed, with the account's one limit", async () => {
    const printed = Array.from(
      system.program.stdout().matchAll(/(?<url>http:\S+)\/api\/v1 \((?<service>[\w-]+)\)$/gm),
      ({ groups }) => [groups?.["service"] ?? "", groups?.["url"] ?? ""] as const,
    );
    expect(printed.map(([service]) => service)).toEqual([...services]);
    const { key } = await createCaller(system.env, "read");
    const remaining: number[] = [];
    for (const [service, url] of printed) {
      const answer = await fetch(`${url}/api/v1/wallets`, { headers: { "X-API-Key": key } });
      expect(answer.status, service).toBe(service === "ledger" ? 200 : 404);
      remaining.push(Number(answer.headers.get("X-RateLimit-Remaining")));
    }
    const [first = 0] = remaining;
    expect(remaining).toEqual(services.map((_, index) => first - index));
  });

  test("a second one on the same folder is refused with a clear message, and the first is unharmed", async () => {
    const { key } = await createCaller(system.env, "write");
    const second = startProcess("npm", ["start"], { env: await localEnvironment({ dataDir }) });
    expect(await second.exited).toBe(1);
    expect(second.stderr()).toContain(dataDir);
    expect(second.stderr()).toMatch(/in use|already|another/i);
    expect(second.stderr()).not.toMatch(stackLine);
    expect((await get(system, "/api/v1/wallets", key)).status).toBe(200);
    expect(complaintsOf(system.program)).toBe("");
  });

  test.each([
    [["GATEWAY_PORT", "RECEIVER_PORT", "DOCS_PORT"]],
    [["METRICS_PORT"]],
    [["SERVICE_PORTS"]],
    [["DISPATCHER_METRICS_PORT", "WORKER_METRICS_PORT"]],
  ])(
    "taken ports (%j) are named together, each with the setting that changes it, and nothing is left running",
    async (names) => {
      const otherFolder = await createTestFolder();
      const taken = Object.fromEntries(names.map((name) => [name, system.env[name] ?? ""]));
      const env = await localEnvironment({ dataDir: otherFolder, env: taken });
      const second = startProcess("npm", ["start"], { env });
      expect(await second.exited).toBe(1);
      const named = Array.from(second.stderr().matchAll(/set ([\w -]+) to a free one\.$/gm), ([, name]) => name);
      const ofServices = services.map((service) => `${service} in SERVICE_PORTS`);
      expect(named).toEqual(names.flatMap((name) => (name === "SERVICE_PORTS" ? ofServices : name)));
      expect(second.stderr()).not.toMatch(stackLine);
      expect(await findEmbeddedUrl(otherFolder)).toBeNull();
    },
  );

  test("stops in order at Ctrl-C, and a restart keeps accounts, keys and wallets, and tells no secret again", async () => {
    // The operator's commands work next to a running system, and without one.
    const { key, accountId } = await createCaller(system.env, "write");
    const created = await fetch(`${system.api}/api/v1/wallets`, {
      method: "POST",
      headers: { "X-API-Key": key, "Content-Type": "application/json", "Idempotency-Key": "one" },
      body: JSON.stringify({ name: "Payroll", currency: "EUR" }),
    });
    const { data: wallet } = (await created.json()) as { data: { id: string } };
    await stop(system);
    expect(await findEmbeddedUrl(dataDir)).toBeNull();
    expect(complaintsOf(system.program)).toBe("");

    const alone = ["keys", "create", "--account", accountId, "--permission", "admin"];
    const { secret } = await runAdmin<{ secret: string }>(system.env, ...alone);
    expect(await findEmbeddedUrl(dataDir)).toBeNull();

    const again = await start(dataDir);
    const answer = await get(again, `/api/v1/wallets/${wallet.id}`, key);
    expect(await answer.json()).toMatchObject({ data: wallet });
    expect((await get(again, "/api/v1/api-keys", secret)).status).toBe(200);
    expect(again.program.stdout()).not.toMatch(/gk_(?:test|live)_/);
    await stop(again);
  });
});

describe("npm start in an empty folder", () => {
  test("leaves no process behind when a signal comes while it starts", async () => {
    const dataDir = await createTestFolder();
    const program = startProcess("npm", ["start"], { env: await localEnvironment({ dataDir }) });
    await waitFor(() => existsSync(join(dataDir, "postgres", "postmaster.pid")), { intervalMs: 2 });
    program.signal("SIGTERM");
    await program.exited;
    expect(await findEmbeddedUrl(dataDir)).toBeNull();
  });

  test("in production makes no demo account, prints no key and runs no receiver", async () => {
    const system = await start(await createTestFolder(), {
      LIVEMODE: "true",
      ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
      SMTP_URL: "smtps://127.0.0.1:9",
      MAIL_FROM: "gateway@example.com",
      AUTH_URL: "https://auth.example.com",
      API_URL: "https://api.example.com",
    });
    expect(system.program.stdout()).not.toContain("Receiver");
    expect(await isTaken(Number(system.env["RECEIVER_PORT"]))).toBe(false);
    expect(system.program.stdout()).toContain("Gateway runs (production).");
    expect(system.program.stdout()).not.toMatch(/gk_(?:test|live)_|curl/);
    expect(await runAdmin({ ...system.env, LIVEMODE: "true" }, "accounts", "list")).toEqual([]);
    await stop(system);
    const sandbox = await runCommand("npm", ["start"], { ...system.env, LIVEMODE: "false" });
    expect(sandbox.code).toBe(1);
    expect(sandbox.stderr).toContain("belongs to the production gateway");
    expect(sandbox.stderr).not.toMatch(stackLine);
  });

  test("takes over a folder that the operator's commands made, without a demo account", async () => {
    const dataDir = await createTestFolder();
    const { key } = await createCaller(await localEnvironment({ dataDir }), "read");
    const system = await start(dataDir);
    expect((await get(system, "/api/v1/wallets", key)).status).toBe(200);
    expect(system.program.stdout()).not.toMatch(/gk_test_/);
  });
});
