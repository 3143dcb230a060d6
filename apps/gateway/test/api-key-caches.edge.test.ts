import type { Account } from "@gateway/platform/accounts";
import { createTestClock } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { expectHeard } from "./support/expect-heard.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { atOnce } from "./support/answers.ts";

describe("gateways that share a database", () => {
  let gateways: readonly TestGateway[];
  let first: TestGateway;
  let second: TestGateway;
  let account: Account;
  let admin: string;
  const freshClient = createFreshClients();

  beforeAll(async () => {
    first = await startTestGateway({ env: behindProxy });
    second = await startTestGateway({ databaseUrl: first.databaseUrl, env: behindProxy });
    gateways = [first, second];
    account = await first.createAccount();
    admin = (await first.createKey(account, "admin")).secret;
  });
  afterAll(() => Promise.all(gateways.map((gateway) => gateway.stop())));

  const statusesWith = (key: string): Promise<number[]> => {
    const request = { target: "/api/v1/account", key, headers: freshClient() };
    return Promise.all(gateways.map(async (gateway) => (await gateway.call(request)).status));
  };

  test("a key revoked at one is refused by every one, though all had cached it", async () => {
    const { id, secret } = await first.createKey(account, "read");
    expect([await statusesWith(secret), await statusesWith(secret)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    await first.call({ method: "DELETE", target: `/api/v1/api-keys/${id}`, key: admin });
    await expectHeard(async () => (await statusesWith(secret)).every((status) => status === 401));
    expect(await statusesWith(secret)).toEqual([401, 401]);
  });

  test("a key rolled at one without overlap is refused by every one", async () => {
    const { id, secret } = await first.createKey(account, "read");
    await statusesWith(secret);
    await first.call({
      method: "POST",
      target: `/api/v1/api-keys/${id}/roll`,
      key: admin,
      body: { overlapSeconds: 0 },
    });
    await expectHeard(async () => (await statusesWith(secret)).every((status) => status === 401));
    expect(await statusesWith(secret)).toEqual([401, 401]);
  });

  test("a key that was deleted by hand in the database is refused", async () => {
    const { id, secret } = await first.createKey(account, "read");
    await statusesWith(secret);
    await first.database.kysely.deleteFrom("api_keys").where("id", "=", id).execute();
    await expectHeard(async () => (await statusesWith(secret)).every((status) => status === 401));
    expect(await statusesWith(secret)).toEqual([401, 401]);
  });

  test("a change of tier reaches every one", async () => {
    const growing = await first.createAccount({ tier: "growth" });
    const { secret } = await first.createKey(growing, "read");
    const limits = async (): Promise<(string | undefined)[]> =>
      Promise.all(
        gateways.map(
          async (gateway) =>
            (await gateway.call({ target: "/api/v1/account", key: secret })).headers["x-ratelimit-limit"],
        ),
      );
    expect(await limits()).toEqual(["60", "60"]);
    await first.platform.accounts.changeTier({ id: growing.id, tier: "enterprise", requestsPerMinute: null });
    await expectHeard(async () => (await limits()).every((limit) => limit === "300"));
    expect(await limits()).toEqual(["300", "300"]);
  });

  test("a key made at one works at every one at once, also where it was tried before", async () => {
    const answer = await first.call({
      method: "POST",
      target: "/api/v1/api-keys",
      key: admin,
      body: { name: "New", permission: "read" },
    });
    expect(await statusesWith((answer.json as { data: { secret: string } }).data.secret)).toEqual([200, 200]);
  });
});

describe("the last use of a key", () => {
  test("is recorded, also by a gateway that stops, and never goes back", async () => {
    const nowMs = Date.UTC(2026, 2, 9, 12);
    const first = await startTestGateway({ clock: createTestClock(nowMs) });
    const { id, secret } = await first.createKey(await first.createAccount(), "admin");
    const early = await startTestGateway({ databaseUrl: first.databaseUrl, clock: createTestClock(nowMs - 60_000) });
    await early.call({ target: "/api/v1/account", key: secret });
    await first.call({ target: "/api/v1/account", key: secret });
    await first.stop();
    await early.stop();
    const reader = await startTestGateway({ databaseUrl: first.databaseUrl });
    const { data } = (await reader.call({ target: `/api/v1/api-keys/${id}`, key: secret })).json as {
      data: { lastUsedAt: string };
    };
    await reader.stop();
    expect(Date.parse(data.lastUsedAt)).toBe(nowMs);
  });

  test("says from where it came, in 120 characters of what its sender calls itself, without what may be a secret; of an earlier one nothing is kept", async () => {
    const first = await startTestGateway({ env: behindProxy });
    const account = await first.createAccount();
    const keys = await Promise.all([1, 2, 3].map(() => first.createKey(account, "read")));
    const callWith = (at: number, address: string, headers: Record<string, string>): Promise<unknown> =>
      first.call({
        target: "/api/v1/account",
        headers: { "X-API-Key": keys[at]?.secret ?? "", "X-Forwarded-For": address, ...headers },
      });
    const secret = keys[1]?.secret ?? "";
    await callWith(0, "203.0.113.7", { "User-Agent": "early/1" });
    await callWith(0, "203.0.113.9", { "User-Agent": `${"ab/1 ".repeat(24)}` });
    await callWith(1, "2001:db8::1", { "User-Agent": `app/2.1 ${secret} ${"ab/1 ".repeat(23)}` });
    await callWith(2, "203.0.113.9", {});
    await first.stop();
    const reader = await startTestGateway({ databaseUrl: first.databaseUrl });
    const found = await Promise.all(
      keys.map(({ id }) => reader.platform.accounts.apiKeys.get({ id, accountId: account.id })),
    );
    const { rows } =
      await sql`select from api_keys where api_keys::text like '%early/1%' or api_keys::text like ${`%${secret}%`}`.execute(
        reader.database.kysely,
      );
    await reader.stop();
    expect(found.map((key) => key?.lastUsedFrom)).toEqual([
      { address: "203.0.113.9", userAgent: "ab/1 ".repeat(24).trimEnd() },
      { address: "2001:db8::1", userAgent: `app/2.1 … ${"ab/1 ".repeat(23)}`.slice(0, 120) },
      { address: "203.0.113.9", userAgent: null },
    ]);
    expect(rows).toEqual([]);
  });

  test("never goes back, nor does from where it came, of gateways that write at the same time", async () => {
    const gateway = await startTestGateway();
    const account = await gateway.createAccount();
    const keys = await atOnce(20, () => gateway.createKey(account, "read"));
    const startMs = Date.UTC(2026, 2, 9, 12);
    const usesOf = (gatewayNumber: number) =>
      keys.map(({ id }, number) => ({
        id,
        at: new Date(startMs + ((gatewayNumber + number) % 8)),
        from: { address: `10.0.0.${(gatewayNumber + number) % 8}`, userAgent: null },
      }));
    const { apiKeys } = gateway.platform.accounts;
    // Each write has the keys in an order of its own.
    const writes = Array.from({ length: 8 }, (_, number) =>
      apiKeys.recordUse(number % 2 === 0 ? usesOf(number) : usesOf(number).toReversed()),
    );
    await Promise.all(writes);
    const found = await Promise.all(keys.map(({ id }) => apiKeys.get({ id, accountId: account.id })));
    await gateway.stop();
    expect(new Set(found.map((key) => `${key?.lastUsedAt?.getTime()} ${key?.lastUsedFrom?.address}`))).toEqual(
      new Set([`${startMs + 7} 10.0.0.7`]),
    );
  });

  test("is not that of a refused request", async () => {
    const first = await startTestGateway();
    const account = await first.createAccount();
    const revoked = await first.createKey(account, "read");
    await first.platform.accounts.apiKeys.revoke({ id: revoked.id, accountId: account.id });
    await first.call({ target: "/api/v1/account", key: revoked.secret });
    await first.stop();
    const reader = await startTestGateway({ databaseUrl: first.databaseUrl });
    const key = await reader.platform.accounts.apiKeys.get({ id: revoked.id, accountId: account.id });
    await reader.stop();
    expect(key?.lastUsedAt).toBeNull();
  });
});
