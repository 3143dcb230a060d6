import type { Account } from "@gateway/platform/accounts";
import { createTestClock, digestDatabase, waitFor } from "@gateway/testkit";
import { createHash, randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { operationTable } from "../src/operations/index.ts";
import { atOnce, invalid, refused } from "./support/answers.ts";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import type { Answer } from "./support/http-client.ts";
import { askRaw } from "./support/raw-http.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { useGateway } from "./support/use-gateway.ts";

const hour = 3_600_000;
const wallet = { name: "Payroll", currency: "EUR" };
const sha256Of = (text: string): Buffer => createHash("sha256").update(text).digest();
const isReplay = ({ headers }: Answer): boolean => headers["idempotency-replayed"] === "true";
const idOf = ({ json }: Answer): string => (json as { data: { id: string } }).data.id;

describe("Idempotency-Key", () => {
  const clock = createTestClock(Date.now());
  let account: Account;
  let key: string;
  /** Runs after a wallet was written and before its transaction ends. */
  let afterWork: () => Promise<void>;

  const createWallet: typeof operationTable.createWallet = async (call) => {
    const answer = await operationTable.createWallet(call);
    await afterWork();
    return answer;
  };
  const gateway = useGateway({ clock, operationTable: { ...operationTable, createWallet } });
  beforeEach(async () => {
    afterWork = async () => {};
    account = await gateway.createAccount();
    key = (await gateway.createKey(account, "admin")).secret;
  });

  type Options = { name: string; body?: unknown; target?: string; key?: string };
  const post = ({ name, body = wallet, target = "/api/v1/wallets", key: own = key }: Options): Promise<Answer> =>
    gateway.call({ method: "POST", target, key: own, body, headers: { "Idempotency-Key": name } });
  const countWallets = async (of = account): Promise<number> =>
    (await gateway.platform.ledger.wallets.list({ accountId: of.id, limit: 100 })).items.length;

  test("20 at once over two gateways make one API key, and its secret is the same in every answer", async () => {
    const twin = await startTestGateway({ databaseUrl: gateway.databaseUrl, clock });
    const name = randomUUID();
    const own = { key, body: { name: "CI", permission: "read" }, headers: { "Idempotency-Key": name } };
    const request = { method: "POST", target: "/api/v1/api-keys", ...own };
    const answers = await atOnce(20, (at) => untilServed(() => (at % 2 === 0 ? gateway : twin).call(request)));
    await twin.stop();
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await gateway.platform.accounts.apiKeys.list({ accountId: account.id, limit: 100 })).items).toHaveLength(2);
  });

  test("a replay has the first answer's bytes, and its own request id in the header", async () => {
    const name = randomUUID();
    const [first, second] = [await post({ name }), await post({ name })];
    expect(second.text).toBe(first.text);
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
  });

  test("another body under the same key is 409, and the first result stands", async () => {
    const name = randomUUID();
    const first = await post({ name });
    const before = await digestDatabase(gateway.database);
    for (const body of [
      { ...wallet, name: "Other" },
      { ...wallet, metadata: {} },
      JSON.stringify(wallet).replace("{", "{ "),
    ]) {
      const headers = { "Idempotency-Key": name, "Content-Type": "application/json" };
      const request = { method: "POST", target: "/api/v1/wallets", key, body, headers };
      expect(await gateway.call(request)).toMatchObject(refused("IDEMPOTENCY_KEY_REUSED"));
    }
    expect(await digestDatabase(gateway.database)).toEqual(before);
    expect((await post({ name })).text).toBe(first.text);
  });

  test("another operation or another resource under the same key is 409", async () => {
    const [name, body] = [randomUUID(), { overlapSeconds: 60 }];
    const [one, two] = [await gateway.createKey(account, "read"), await gateway.createKey(account, "read")];
    const rollOf = (id: string): string => `/api/v1/api-keys/${id}/roll`;
    expect((await post({ name, body, target: rollOf(one.id) })).status).toBe(201);
    const before = await digestDatabase(gateway.database);
    const reused = refused("IDEMPOTENCY_KEY_REUSED");
    expect(await post({ name, body, target: rollOf(two.id) })).toMatchObject(reused);
    expect(await post({ name })).toMatchObject(reused);
    expect(await digestDatabase(gateway.database)).toEqual(before);
  });

  test("a stored answer that holds a secret goes to the credential that made it, and to no other of the account", async () => {
    const other = (await gateway.createKey(account, "admin")).secret;
    const requests = [
      { target: "/api/v1/api-keys", body: { name: "CI", permission: "read" } },
      { target: "/api/v1/webhooks", body: { url: "https://example.com/hook", events: ["wallet.created"] } },
    ];
    for (const request of requests) {
      const name = randomUUID();
      const first = await post({ name, ...request });
      expect(first.status).toBe(201);
      const { secret } = (first.json as { data: { secret: string } }).data;
      const stranger = await post({ name, ...request, key: other });
      expect(stranger).toMatchObject(refused("IDEMPOTENCY_KEY_REUSED"));
      expect(stranger.text).not.toContain(secret);
      expect((await post({ name, ...request })).text).toBe(first.text);
    }
    const name = randomUUID();
    const wallets = [await post({ name }), await post({ name, key: other })];
    expect(new Set(wallets.map(({ text }) => text)).size).toBe(1);
  });

  test("the same key in another account is another key", async () => {
    const name = randomUUID();
    const stranger = await gateway.createAccount();
    const strangerKey = (await gateway.createKey(stranger, "write")).secret;
    // One after the other. If accounts shared their keys, the second would find the response of the first.
    const [ours, theirs] = [await post({ name }), await post({ name, key: strangerKey })];
    expect([ours.status, theirs.status, isReplay(ours), isReplay(theirs)]).toEqual([201, 201, false, false]);
    expect(idOf(theirs)).not.toBe(idOf(ours));
    expect([await countWallets(), await countWallets(stranger)]).toEqual([1, 1]);
  });

  test("while the first request runs beyond the wait, a second is 409 IDEMPOTENCY_IN_PROGRESS, and later the first one's answer", async () => {
    const { promise, resolve: openGate } = Promise.withResolvers<void>();
    const createWallet: typeof operationTable.createWallet = async (call) => {
      const answer = await operationTable.createWallet(call);
      await promise;
      return answer;
    };
    // The wait is one of the product's limits on the database.
    const usual = await startTestGateway({
      databaseUrl: gateway.databaseUrl,
      ...{ clock, operationTable: { ...operationTable, createWallet }, databaseLimits: {} },
    });
    const name = randomUUID();
    const send = (): Promise<Answer> =>
      usual.call({
        ...{ method: "POST", target: "/api/v1/wallets", key, body: wallet },
        headers: { "Idempotency-Key": name },
      });
    const first = send();
    await waitFor(async () => (await countHeldKeys(gateway)) === 1);
    expect(await send()).toMatchObject(refused("IDEMPOTENCY_IN_PROGRESS"));
    openGate();
    expect((await first).status).toBe(201);
    const second = await send();
    expect([second.text, isReplay(second)]).toEqual([(await first).text, true]);
    expect(await countWallets()).toBe(1);
    await usual.stop();
  });

  test("a refused request leaves its key free", async () => {
    const name = randomUUID();
    expect((await post({ name, body: { name: "" } })).status).toBe(400);
    const target = "/api/v1/api-keys/key_01kghsq31hfkftt8r0t9fm6d4b/roll";
    expect((await post({ name, target, body: { overlapSeconds: 0 } })).status).toBe(404);
    const reader = (await gateway.createKey(account, "read")).secret;
    expect((await post({ name, key: reader })).status).toBe(403);
    const done = await post({ name });
    expect([done.status, isReplay(done)]).toEqual([201, false]);
  });

  test("a request whose work fails after the fact leaves neither the effect nor the key", async () => {
    const name = randomUUID();
    afterWork = () => Promise.reject(new Error("the power failed"));
    expect(await post({ name })).toMatchObject(refused("INTERNAL_ERROR"));
    afterWork = async () => {};
    expect(await countWallets()).toBe(0);
    const done = await post({ name });
    expect([done.status, isReplay(done)]).toEqual([201, false]);
  });

  test("a replay needs the permission that the first request needed", async () => {
    const name = randomUUID();
    await post({ name });
    const reader = (await gateway.createKey(account, "read")).secret;
    expect((await post({ name, key: reader })).status).toBe(403);
  });

  test("a key is kept for 24 hours and not longer", async () => {
    const name = randomUUID();
    const first = await post({ name });
    clock.advance(24 * hour - 1);
    expect((await post({ name })).text).toBe(first.text);
    clock.advance(1);
    const later = await post({ name, body: { ...wallet, name: "Later" } });
    expect([later.status, isReplay(later)]).toEqual([201, false]);
    expect((await post({ name, body: { ...wallet, name: "Later" } })).text).toBe(later.text);
  });

  test("expired answers are removed, and no others", async () => {
    const [old, fresh] = [randomUUID(), randomUUID()];
    await post({ name: old });
    clock.advance(24 * hour);
    await post({ name: fresh });
    while ((await gateway.platform.accounts.idempotency.deleteExpired(1)) === 1) {
      // One at a time, as many as there are.
    }
    const { kysely } = gateway.database;
    expect(await kysely.selectFrom("idempotency_records").select("key").execute()).toEqual([{ key: fresh }]);
  });

  test("stored answers cannot be read in the database, and no secret of a created key is in it", async () => {
    const name = randomUUID();
    const created = await post({ name, target: "/api/v1/api-keys", body: { name: "Shown once", permission: "read" } });
    const { data, meta } = created.json as { data: { secret: string }; meta: { requestId: string } };
    const { secret } = data;
    // Spelled as in the response, because the audit log has the id alone.
    const ofAnswer = `"requestId":"${meta.requestId}"`;
    expect(created.text).toContain(ofAnswer);
    const dump = await dumpDatabase(gateway.database);
    expect(dump).toContain(name);
    expect([secret, secret.slice(8, 40), ofAnswer].filter((text) => holdsText(dump, text))).toEqual([]);
  });

  test("requests cannot be tried out on what is stored of them: no plain hash is in the database", async () => {
    const body = JSON.stringify(wallet);
    const hashes = [body, `/api/v1/wallets\n${body}`].map(sha256Of);
    expect((await post({ name: "hashed" })).status).toBe(201);
    const dump = await dumpDatabase(gateway.database);
    expect(dump).toContain('"key":"hashed"');
    expect(hashes.filter((hash) => dump.includes(hash.toString("hex")))).toEqual([]);
  });

  /** request-properties.test.ts has its form as the document says, headers.edge.test.ts that it is sent once. */
  test.each([
    ["Latin-1", "\xe9"],
    ["UTF-8", Buffer.from("ключ").toString("latin1")],
    ["overlong UTF-8", "\xc0\x80"],
    ["nothing", ""],
    ["256 characters", "k".repeat(256)],
    ["a tab inside", "a\tb"],
  ])("%s is refused", async (_, name) => {
    const head = `POST /api/v1/wallets HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nIdempotency-Key: ${name}\r\nContent-Type: application/json\r\n`;
    const text = JSON.stringify(wallet);
    const bytes = Buffer.from(`${head}Content-Length: ${text.length}\r\n\r\n${text}`, "latin1");
    expect(await askRaw(gateway.port, bytes)).toMatchObject(invalid("Idempotency-Key"));
    expect(await countWallets()).toBe(0);
  });

  test.each(["k".repeat(255), "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"])("%s is accepted", async (name) => {
    expect((await post({ name })).status).toBe(201);
    expect(isReplay(await post({ name }))).toBe(true);
  });
});

/**
 * Sends the request again while a busy machine leaves no connection, or keeps the first request longer than a duplicate
 * waits. Both responses ask the caller to repeat the request.
 */
async function untilServed(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  for (let attempt = 1; attempt < 100 && [409, 503].includes(answer.status); attempt += 1) {
    answer = await send();
  }
  return answer;
}

/** Transactions that hold an idempotency key: the first statement of each is the lock. */
async function countHeldKeys({ database, databaseUrl }: TestGateway): Promise<number> {
  const catalogue = database.kysely.withTables<{
    pg_locks: { locktype: string; mode: string; granted: boolean; database: number };
    pg_database: { oid: number; datname: string };
  }>();
  const rows = await catalogue
    .selectFrom("pg_locks")
    .innerJoin("pg_database", "pg_database.oid", "pg_locks.database")
    .select("locktype")
    .where("locktype", "=", "advisory")
    // Writers share the lock of their account's clock.
    .where("mode", "=", "ExclusiveLock")
    .where("granted", "=", true)
    .where("datname", "=", new URL(databaseUrl).pathname.slice(1))
    .execute();
  return rows.length;
}
