import { openDatabase } from "@gateway/database";
import { waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sendRaw } from "../apps/auth/test/support/raw-http.ts";
import type { Person } from "../apps/auth/test/support/test-auth.ts";
import { startConsoleSystem, type ConsoleBrowser, type ConsoleSystem } from "./support/console-system.ts";

let system: ConsoleSystem;
let person: Person;
let browser: ConsoleBrowser;

beforeAll(async () => {
  system = await startConsoleSystem({ processes: 2 });
});
afterAll(() => system.stop());
beforeEach(async () => {
  person = await system.auth.createPerson();
  browser = system.openBrowser();
});

const rowsOf = async ({ user }: Person) =>
  system.auth.database.kysely.selectFrom("console_sessions").selectAll().where("user_id", "=", user.id).execute();
const codeOf = (text: string): string | undefined => (JSON.parse(text) as { error?: { code: string } }).error?.code;

const isRefused = (call: () => Promise<{ status: number }>, status = 401) =>
  waitFor(async () => (await call()).status === status);

describe("signing in", () => {
  test.each(["/", "/webhooks", "/sign-in", "/callback?code=x"])(
    "%s under a name of the local network says what the console needs",
    async (path) => {
      const port = system.consoles[0]?.port ?? 0;
      const answer = await sendRaw(port, [`GET ${path} HTTP/1.1`, "Host: box.lan:8083", "Connection: close"]);
      expect(answer).toMatch(/^HTTP\/1\.1 403 .*<h1>The console needs https here<\/h1>.*ssh -L/s);
      expect(answer).not.toContain("Set-Cookie");
    },
  );

  test("leads to the identity provider and back to the screen, with one cookie that no script reads", async () => {
    const page = await browser.signIn(person, { query: "?return_to=/webhooks%3Fstatus=failed" });
    expect(page.status).toBe(200);
    expect(page.text).toContain('http-equiv="refresh" content="0;url=/webhooks?status=failed"');
    const cookie = page.headers.getSetCookie().find((one) => one.startsWith("console="));
    expect(cookie).toMatch(/^console=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/);
    expect([...browser.cookies.keys()]).toEqual(["console"]);
    const told = await browser.call("/session");
    expect(JSON.parse(told.text)).toEqual({
      person: {
        id: expect.stringMatching(/^per_/),
        userId: person.user.id,
        name: person.user.name,
        email: person.user.email,
      },
      account: { id: person.account.id, name: person.account.email, role: "owner", isSuspended: false },
      role: "owner",
      permission: "admin",
      accounts: [{ id: person.account.id, name: person.account.email, role: "owner", isSuspended: false }],
      environment: "sandbox",
      signedInAt: expect.stringMatching(/Z$/),
      addresses: {
        api: system.auth.apiUrl,
        docs: "https://docs.example.com",
        identity: system.auth.origin,
        otherEnvironment: null,
        receiver: null,
      },
    });
    const account = await browser.call("/api/v1/account");
    expect(JSON.parse(account.text)).toMatchObject({ data: { id: person.account.id } });
  });

  test("no answer holds a token, and no row holds one that can be read", async () => {
    await browser.signIn(person);
    const answers = [await browser.call("/session"), await browser.call("/api/v1/account"), await browser.call("/")];
    expect(answers.map(({ text, headers }) => JSON.stringify([text, [...headers]])).join()).not.toMatch(
      /eyJ|Bearer ey/,
    );
    const [row] = await rowsOf(person);
    expect(row?.tokens.toString("latin1")).not.toContain("eyJ");
  });

  test("of somebody else's making is refused: the code counts only where it was asked for", async () => {
    const victim = system.openBrowser();
    await victim.call("/sign-in");
    const { headers } = await browser.call("/sign-in");
    const state = new URL(headers.get("Location") ?? "").searchParams.get("state") ?? "";
    const answer = await victim.call(`/callback?code=abc&state=${state}`);
    const begun = [...victim.cookies.keys()];
    expect({ status: answer.status, begun: begun.length }).toEqual({ status: 400, begun: 1 });
    const after = await victim.call("/callback?code=abc&state=wrong");
    expect({ status: after.status, cookies: [...victim.cookies.keys()] }).toEqual({ status: 400, cookies: begun });
  });

  test("that was begun in one tab ends there, also when another tab began one since", async () => {
    const states: string[] = [];
    for (const place of ["/webhooks", "/keys"]) {
      const { headers } = await browser.call(`/sign-in?return_to=${place}`);
      states.push(new URL(headers.get("Location") ?? "").searchParams.get("state") ?? "");
    }
    const first = await browser.call(`/callback?code=wrong&state=${states[0]}`);
    const second = await browser.call(`/callback?code=wrong&state=${states[1]}`);
    const again = await browser.call(`/callback?code=wrong&state=${states[1]}`);
    // The code is wrong, so each is refused with the return path of its own sign-in. One that has ended is no longer
    // known.
    expect([first, second, again].map(({ text }) => /return_to=[^"]*|is over/.exec(text)?.[0])).toEqual([
      "return_to=%2Fwebhooks",
      "return_to=%2Fkeys",
      "is over",
    ]);
  });

  test("a wrong code, and a person who says no, make no session", async () => {
    for (const query of ["code=wrong", "error=access_denied"]) {
      const { headers } = await browser.call("/sign-in");
      const state = new URL(headers.get("Location") ?? "").searchParams.get("state") ?? "";
      const answer = await browser.call(`/callback?${query}&state=${state}`);
      expect({ status: answer.status, rows: await rowsOf(person) }).toEqual({ status: 400, rows: [] });
    }
  });

  test("another account is chosen by signing in again", async () => {
    const other = await system.auth.createPerson();
    await system.auth.createPerson({ account: other.account, role: "viewer", user: person });
    await browser.signIn(person, { accountId: person.account.id });
    expect(JSON.parse((await browser.call("/session")).text)).toMatchObject({
      account: { id: person.account.id },
      accounts: [{ id: person.account.id }, { id: other.account.id, role: "viewer" }],
    });
    await browser.signIn(person, { query: "?account=choose", accountId: other.account.id });
    expect(JSON.parse((await browser.call("/session")).text)).toMatchObject({
      account: { id: other.account.id },
      role: "viewer",
      permission: "read",
    });
    expect(await rowsOf(person)).toHaveLength(1);
  });

  // `apps/console/test/session.edge.test.ts` has the table of such addresses.
  test("never leads elsewhere, whatever the address asks for", async () => {
    const page = await browser.signIn(person, { query: "?return_to=%2F%2Fevil.example" });
    expect(page.text).toContain('content="0;url=/"');
  });
});

describe("is refused", () => {
  test("a call that does not come from the page itself, by its header or by what the browser says", async () => {
    await browser.signIn(person);
    for (const headers of [
      { "X-Console": undefined },
      { "X-Console": "2" },
      { "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
      // The value for an address typed into the address bar.
      { "Sec-Fetch-Site": "none" },
      { "Sec-Fetch-Site": undefined },
    ]) {
      for (const target of ["/api/v1/account", "/session"]) {
        const answer = await browser.call(target, { headers });
        expect([answer.status, codeOf(answer.text)], JSON.stringify(headers)).toEqual([403, "FORBIDDEN"]);
      }
      expect((await browser.call("/sign-out", { method: "POST", headers })).status).toBe(403);
    }
    expect((await browser.call("/api/v1/account")).status).toBe(200);
  });

  test("a path or a method that the document has not, in the envelope", async () => {
    await browser.signIn(person);
    const path = await browser.call("/api/v1/everything");
    expect([path.status, codeOf(path.text)]).toEqual([404, "NOT_FOUND"]);
    const method = await browser.call("/api/v1/account", { method: "DELETE" });
    expect([method.status, codeOf(method.text), method.headers.get("Allow")]).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
      "GET, PATCH",
    ]);
  });

  test("whoever is not signed in, with a cookie of no session too", async () => {
    for (const value of [undefined, "a".repeat(43), "'; drop table"]) {
      if (value !== undefined) {
        browser.cookies.set("console", value);
      }
      const answer = await browser.call("/api/v1/account");
      expect([answer.status, codeOf(answer.text)]).toEqual([401, "UNAUTHENTICATED"]);
      expect((await browser.call("/session")).status).toBe(401);
    }
  });

  test("a body that is too large, or that the operation does not take", async () => {
    await browser.signIn(person);
    const large = await browser.call("/api/v1/wallets", { method: "POST", body: { name: "x".repeat(300_000) } });
    expect([large.status, codeOf(large.text)]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    const unasked = await browser.call("/api/v1/wallets/wal_1/close", { method: "POST", body: {} });
    expect([unasked.status, codeOf(unasked.text)]).toEqual([400, "INVALID_REQUEST"]);
  });
});

describe("an access token that has run out", () => {
  /** Simulates that an hour has passed. The token itself stays valid, and only its stored expiry is in the past. */
  const letRunOut = ({ user }: Person) =>
    system.auth.database.kysely
      .updateTable("console_sessions")
      .set({ token_expires_at: new Date(0) })
      .where("user_id", "=", user.id)
      .execute();

  test("is renewed once for 20 calls at a time in two processes, and all are answered", async () => {
    await browser.signIn(person);
    await letRunOut(person);
    const [before] = await rowsOf(person);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => browser.call("/api/v1/account", { process: index % 2 })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const [after] = await rowsOf(person);
    expect(after?.tokens.equals(before?.tokens ?? Buffer.alloc(0))).toBe(false);
    const renewed = await Promise.all(
      system.consoles.map(async ({ metricsPort }) => {
        const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        return Number(/console_refreshes_total\{outcome="renewed"\} (\d+)/.exec(text)?.[1] ?? 0);
      }),
    );
    expect(renewed.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect((await browser.call("/session")).status).toBe(200);
  });
});

describe("ends", () => {
  const call = () => browser.call("/api/v1/account");

  test("with the sign-out: here, at the identity provider and at the gateway, and a stolen cookie is worth nothing", async () => {
    await browser.signIn(person);
    const stolen = browser.cookies.get("console") ?? "";
    const [row] = await rowsOf(person);
    const out = await browser.call("/sign-out", { method: "POST" });
    expect(out.status).toBe(200);
    const cleared = await browser.call("/clear-site-data", { method: "POST" });
    expect(cleared.headers.get("Clear-Site-Data")).toBe('"cache", "storage"');
    expect([...browser.cookies.keys()]).toEqual([]);
    browser.cookies.set("console", stolen);
    expect((await call()).status).toBe(401);
    expect(await rowsOf(person)).toEqual([]);
    expect(await system.auth.platform.auth.sessions.listOfUser(person.user.id)).toEqual([]);
    expect(await system.auth.platform.accounts.grants.findHolder(row?.grant_id ?? "")).toBeNull();
  });

  test("when the device is signed out at the identity provider", async () => {
    await browser.signIn(person);
    await system.auth.platform.auth.sessions.endAll({ userId: person.user.id, exceptId: null });
    expect(await rowsOf(person)).toEqual([]);
    await isRefused(call);
  });

  test("with the removal of the person, and with less permission after a demotion", async () => {
    const member = await system.auth.createPerson({ account: person.account, role: "owner" });
    await browser.signIn(member);
    const { person: place } = JSON.parse((await browser.call("/session")).text) as { person: { id: string } };
    expect((await browser.call("/api/v1/api-keys")).status).toBe(200);
    const own = { id: place.id, accountId: person.account.id };
    const { people } = system.auth.platform.accounts;
    await people.changeRole({ ...own, role: "viewer" });
    await isRefused(() => browser.call("/api/v1/api-keys"), 403);
    expect(JSON.parse((await browser.call("/session")).text)).toMatchObject({ role: "viewer", permission: "read" });
    await people.remove(own);
    await isRefused(call);
    expect((await browser.call("/session")).status).toBe(401);
    expect(await rowsOf(member)).toEqual([]);
  });

  test.each([
    ["30 days after its last use", "last_seen_at = now() - interval '31 days'"],
    ["90 days after it began", "expires_at = now() - interval '1 second'"],
  ])("%s", async (_name, change) => {
    await browser.signIn(person);
    await sql
      .raw(`update console_sessions set ${change} where user_id = '${person.user.id}'`)
      .execute(system.auth.database.kysely);
    expect((await call()).status).toBe(401);
  });
});

test("the audit log names the person, and the address that they came from", async () => {
  await browser.signIn(person);
  const made = await browser.call("/api/v1/webhooks", {
    method: "POST",
    headers: { "X-Forwarded-For": "198.51.100.7", "Idempotency-Key": "once" },
    body: { url: "https://hooks.example.com/", events: ["wallet.created"] },
  });
  expect(made.status).toBe(201);
  const { text } = await browser.call("/api/v1/audit-events");
  expect(text).toContain("198.51.100.7");
});

describe("the limit", () => {
  test("of the account is not touched by what screens read, only by what people change and try out", async () => {
    await browser.signIn(person);
    const { headers } = await browser.call("/api/v1/account");
    expect([headers.get("X-RateLimit-Limit"), headers.get("X-RateLimit-Remaining")]).toEqual(["300", "299"]);
    const tried = await browser.call("/api/v1/account", { headers: { "X-Console": "try" } });
    expect(tried.headers.get("X-RateLimit-Remaining")).toBe("999999");
    const changed = await browser.call("/api/v1/account", { method: "PATCH", body: { name: "Ferry" } });
    expect(changed.headers.get("X-RateLimit-Remaining")).toBe("999998");
    // The log and the usage treat a request that a person tries out as a program's call. Calls of the screens are the
    // console's.
    const sources = async (): Promise<string[]> => {
      const { text } = await browser.call("/api/v1/request-logs?operationId=getAccount");
      return (JSON.parse(text) as { data: { source: string }[] }).data.map(({ source }) => source).toSorted();
    };
    await waitFor(async () => (await sources()).join() === "api,console");
    const { text } = await browser.call("/api/v1/usage?interval=minute&groupBy=operation");
    const { series } = (JSON.parse(text) as { data: { series: { group: object; count: number }[] } }).data;
    expect(series.map(({ group, count }) => ({ ...group, count }))).toEqual([{ operation: "getAccount", count: 1 }]);
  });

  test("of reads is one for all people of an account: 300 are answered, the next is not", async () => {
    const browsers = await Promise.all(
      Array.from({ length: 2 }, async () => {
        const own = system.openBrowser();
        await own.signIn(await system.auth.createPerson({ account: person.account, role: "viewer" }));
        return own;
      }),
    );
    const statuses: number[] = [];
    for (let round = 0; round < 23; round += 1) {
      const answers = await Promise.all(
        browsers.flatMap((own) => Array.from({ length: 7 }, () => own.call("/api/v1/wallets"))),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(300);
    expect(statuses.filter((status) => status === 429)).toHaveLength(22);
    const key = await system.auth.platform.accounts.apiKeys.create({
      accountId: person.account.id,
      name: "Own",
      permission: "read",
      expiresAt: null,
    });
    const program = await fetch(`${system.auth.apiUrl}/api/v1/account`, { headers: { "X-API-Key": key.secret } });
    expect([program.status, program.headers.get("X-RateLimit-Remaining")]).toEqual([200, "999999"]);
  });
});

describe("the role of the console in the database", () => {
  test("may use its sessions and read or write nothing else", async () => {
    const database = openDatabase<Record<string, never>>({ url: system.consoleDatabaseUrl, maxConnections: 1 });
    const { rows } = await sql<{ name: string }>`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S')
    `.execute(database.kysely);
    expect(rows.length).toBeGreaterThan(40);
    const allowed: string[] = [];
    for (const { name } of rows) {
      const reading = await sql
        .raw(`select from ${name} limit 0`)
        .execute(database.kysely)
        .catch((error: unknown) => error);
      const code = reading instanceof Error && "code" in reading ? reading.code : null;
      if (code !== "42501") {
        allowed.push(name);
      }
    }
    expect(allowed).toEqual(["console_sessions"]);
    await expect(sql`create table mine (id int)`.execute(database.kysely)).rejects.toMatchObject({ code: "42501" });
    await expect(sql`truncate console_sessions`.execute(database.kysely)).rejects.toMatchObject({ code: "42501" });
    await database.close();
  });
});
