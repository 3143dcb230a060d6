import type { Schemas } from "@gateway/contract";
import type { Account, Permission } from "@gateway/platform/accounts";
import { createTestClock, digestDatabase, holdLock, type TestClock } from "@gateway/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import type { Answer } from "./support/http-client.ts";
import { expectHeard } from "./support/expect-heard.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { createTestGrant } from "./support/test-issuer.ts";

const keys = "/api/v1/api-keys";
const day = 86_400_000;
const invalid = (field: string): object => ({
  status: 400,
  json: { error: { code: "INVALID_REQUEST", details: [{ field, issue: expect.any(String) }] } },
});
const notActive = { status: 409, json: { error: { code: "API_KEY_NOT_ACTIVE" } } };

describe("API keys", () => {
  let gateway: TestGateway;
  let clock: TestClock;
  let account: Account;
  let admin: string;
  const freshClient = createFreshClients();

  beforeAll(async () => {
    clock = createTestClock(Date.UTC(2026, 2, 9, 12));
    gateway = await startTestGateway({ clock, env: behindProxy });
  });
  beforeEach(async () => {
    clock.set(Date.UTC(2026, 2, 9, 12));
    account = await gateway.createAccount();
    admin = (await gateway.createKey(account, "admin")).secret;
  });
  afterAll(() => gateway.stop());

  const create = (body: object): Promise<Answer> => gateway.call({ method: "POST", target: keys, key: admin, body });
  const read = async (id: string): Promise<Schemas["ApiKey"]> =>
    keyOf(await gateway.call({ target: `${keys}/${id}`, key: admin }));
  const revoke = (id: string): Promise<Answer> =>
    gateway.call({ method: "DELETE", target: `${keys}/${id}`, key: admin });
  const roll = (id: string, overlapSeconds: unknown = 0): Promise<Answer> =>
    gateway.call({ method: "POST", target: `${keys}/${id}/roll`, key: admin, body: { overlapSeconds } });
  const statusWith = async (key: string): Promise<number> =>
    (await gateway.call({ target: "/api/v1/account", key, headers: freshClient() })).status;

  /** The answer to a change may overtake the notification that makes the cache forget the key. */
  const isRefusedSoon = (key: string): Promise<void> => expectHeard(async () => (await statusWith(key)) === 401);

  test("from its creation to its end, a key works exactly while it is active", async () => {
    const created = withSecretOf(await create({ name: "CI 🔑", permission: "read" }));
    expect(created).toEqual({
      id: expect.stringMatching(/^key_/),
      name: "CI 🔑",
      permission: "read",
      status: "active",
      secret: expect.stringMatching(/^gk_test_/),
      hint: `gk_test_…${created.secret.slice(-4)}`,
      createdAt: "2026-03-09T12:00:00.000Z",
      rollDueAt: "2026-06-07T12:00:00.000Z",
      expiresAt: null,
      revokedAt: null,
      replacedBy: null,
      lastUsedAt: null,
      lastUsedFrom: null,
      createdBy: { type: "apiKey", id: expect.stringMatching(/^key_/), applicationId: null },
    });
    expect(await statusWith(created.secret)).toBe(200);
    const { secret: _, ...shown } = created;
    expect(await read(created.id)).toEqual(shown);
    expect(keyOf(await revoke(created.id))).toMatchObject({ status: "revoked", revokedAt: "2026-03-09T12:00:00.000Z" });
    await isRefusedSoon(created.secret);
    expect(await read(created.id)).toMatchObject({ status: "revoked" });
  });

  test("a key is due to be rolled 90 days after its creation, and what it is rolled to 90 days after its own", async () => {
    const { id, rollDueAt } = withSecretOf(await create({ name: "CI", permission: "read" }));
    clock.advance(90 * 24 * 3_600_000);
    expect(rollDueAt).toBe(new Date(clock.now()).toISOString());
    expect(await read(id)).toMatchObject({ rollDueAt, status: "active" });
    expect(withSecretOf(await roll(id, 60))).toMatchObject({
      createdAt: rollDueAt,
      rollDueAt: new Date(clock.now() + 90 * 24 * 3_600_000).toISOString(),
    });
  });

  test("a secret is shown once: no later answer has it", async () => {
    const { id, secret } = withSecretOf(await create({ name: "CI", permission: "read" }));
    const successor = withSecretOf(await roll(id, 60));
    const answers = [
      await gateway.call({ target: keys, key: admin }),
      await gateway.call({ target: `${keys}/${id}`, key: admin }),
      await revoke(id),
    ];
    for (const { text, status } of answers) {
      expect(status).toBe(200);
      expect([secret, successor.secret, '"secret"'].filter((part) => text.includes(part))).toEqual([]);
    }
  });

  test("the list has the keys of the account alone, newest first, the ended ones too", async () => {
    // Two makers of ids: within a millisecond neither knows of the other.
    clock.advance(1);
    const ended = withSecretOf(await create({ name: "Ended", permission: "read" }));
    await revoke(ended.id);
    const stranger = await gateway.createKey(await gateway.createAccount(), "admin");
    const { data } = (await gateway.call({ target: keys, key: admin })).json as { data: Schemas["ApiKey"][] };
    expect(data.map(({ name, status }) => [name, status])).toEqual([
      ["Ended", "revoked"],
      ["Test admin", "active"],
    ]);
    expect(data.map(({ id }) => id)).not.toContain(stranger.id);
  });

  describe("expiresAt", () => {
    test("the last moment of the year 9999 is taken", async () => {
      const [expiresAt, key] = ["9999-12-31T23:59:59.999Z", { name: "a", permission: "read" }];
      expect(withSecretOf(await create({ ...key, expiresAt }))).toMatchObject({ expiresAt, status: "active" });
    });

    test.each([
      "2026-03-09T12:00:00.001Z",
      "2026-03-09T14:00:00.001+02:00",
      "2028-02-29T00:00:00Z",
      "2100-01-01T00:00:00.000000001Z",
    ])("%s, which is to come, is taken", async (expiresAt) => {
      const key = withSecretOf(await create({ name: "a", permission: "read", expiresAt }));
      expect(key).toMatchObject({ expiresAt: new Date(expiresAt).toISOString(), status: "active" });
      clock.set(Date.parse(expiresAt) - 1);
      expect(await statusWith(key.secret)).toBe(200);
      clock.set(Date.parse(expiresAt));
      await isRefusedSoon(key.secret);
      clock.set(Date.UTC(2026, 2, 9, 12));
    });

    test.each([
      "2026-03-09T12:00:00Z",
      "2026-03-09T11:59:59.999Z",
      "2026-03-09T14:00:00+02:00",
      "1970-01-01T00:00:00Z",
      "0000-01-01T00:00:00Z",
      "2027-02-29T00:00:00Z",
      "2027-13-01T00:00:00Z",
      "2027-01-01T24:00:00Z",
      "2027-01-01T00:00:60Z",
      "2027-01-01T00:00:00",
      "2027-01-01",
      "2027-01-01 00:00:00Z",
      "2027-01-01t00:00:00z",
      "2027-01-01T00:00:00+24:00",
      "2027-01-01T00:00:00.Z",
      "+012027-01-01T00:00:00Z",
      "9999-12-31T23:59:59-23:59",
      "tomorrow",
      "",
      " ",
      "\u0000",
      1_800_000_000,
      null,
      {},
      [],
      true,
    ])("%j is refused, and no key is made", async (expiresAt) => {
      const before = await digestDatabase(gateway.database);
      expect(await create({ name: "a", permission: "read", expiresAt })).toMatchObject(invalid("expiresAt"));
      expect(await digestDatabase(gateway.database)).toEqual(before);
    });
  });

  describe("rolling", () => {
    test.each([0, 1, 86_400])(
      "with an overlap of %i s the old key works for so long, and the new one from the start",
      async (overlapSeconds) => {
        const old = await gateway.createKey(account, "write");
        const successor = withSecretOf(await roll(old.id, overlapSeconds));
        expect(successor).toMatchObject({ name: old.name, permission: "write", expiresAt: null, status: "active" });
        const end = new Date(clock.now() + overlapSeconds * 1000).toISOString();
        expect(await read(old.id)).toMatchObject({
          replacedBy: successor.id,
          expiresAt: end,
          status: overlapSeconds === 0 ? "expired" : "active",
        });
        clock.advance(Math.max(0, overlapSeconds * 1000 - 1));
        expect([await statusWith(old.secret), await statusWith(successor.secret)]).toEqual([
          overlapSeconds === 0 ? 401 : 200,
          200,
        ]);
        clock.advance(1);
        expect([await statusWith(old.secret), await statusWith(successor.secret)]).toEqual([401, 200]);
      },
    );

    test.each([86_401, -1, 0.5, "60", null, 2 ** 53, Infinity])(
      "with an overlap of %j is refused, and the key stays as it was",
      async (overlapSeconds) => {
        const old = await gateway.createKey(account, "read");
        const body = `{"overlapSeconds":${overlapSeconds === Infinity ? "1e400" : JSON.stringify(overlapSeconds)}}`;
        const before = await digestDatabase(gateway.database);
        const answer = await gateway.call({
          method: "POST",
          target: `${keys}/${old.id}/roll`,
          key: admin,
          body,
          headers: { "Content-Type": "application/json" },
        });
        expect(answer).toMatchObject(invalid("overlapSeconds"));
        expect(await digestDatabase(gateway.database)).toEqual(before);
      },
    );

    test("a rolled key is rolled once, also when ten ask at once", async () => {
      const old = await gateway.createKey(account, "read");
      const answers = await Promise.all(Array.from({ length: 10 }, () => roll(old.id, 60)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201,
        ...Array.from({ length: 9 }, () => 409),
      ]);
      const before = await digestDatabase(gateway.database);
      expect(await roll(old.id, 60)).toMatchObject(notActive);
      expect(await digestDatabase(gateway.database)).toEqual(before);
    });

    test("a revoked key and an expired one are refused", async () => {
      const [revoked, expired] = [
        await gateway.createKey(account, "read"),
        await gateway.createKey(account, "read", new Date(clock.now() + 1)),
      ];
      await revoke(revoked.id);
      clock.advance(1);
      expect([await roll(revoked.id), await roll(expired.id)]).toMatchObject([notActive, notActive]);
    });

    test("an overlap never lengthens the life of a key that ends earlier, and the successor lives as long as the old key was meant to", async () => {
      const old = await gateway.createKey(account, "read", new Date(clock.now() + 10 * day));
      clock.advance(10 * day - 1000);
      const successor = withSecretOf(await roll(old.id, 86_400));
      expect((await read(old.id)).expiresAt).toBe(new Date(clock.now() + 1000).toISOString());
      expect(successor.expiresAt).toBe(new Date(clock.now() + 10 * day).toISOString());
    });

    test("a key that ends with the year 9999 can be rolled too", async () => {
      const old = await gateway.createKey(account, "read", new Date("9999-12-31T23:59:59Z"));
      clock.advance(day);
      expect(withSecretOf(await roll(old.id)).expiresAt).toBe("9999-12-31T23:59:59.999Z");
    });

    test("a key may roll itself at once, and its successor takes over", async () => {
      const own = await gateway.createKey(account, "admin");
      const answer = await gateway.call({
        method: "POST",
        target: `${keys}/${own.id}/roll`,
        key: own.secret,
        body: { overlapSeconds: 0 },
      });
      expect(await statusWith(withSecretOf(answer).secret)).toBe(200);
      await isRefusedSoon(own.secret);
    });

    test("while another change holds the key, the answer is 503 with Retry-After and nothing is done", async () => {
      const old = await gateway.createKey(account, "read");
      const { databaseUrl } = gateway;
      const hasty = await startTestGateway({ databaseUrl, clock, env: behindProxy, databaseLimits: {} });
      const request = { method: "POST", target: `${keys}/${old.id}/roll`, key: admin, body: { overlapSeconds: 0 } };
      const lock = await holdLock(databaseUrl, `select from api_keys where id = '${old.id}' for update`);
      const answer = await hasty.call(request);
      await lock.release();
      await hasty.stop();
      expect(answer).toMatchObject({ status: 503, json: { error: { code: "UNAVAILABLE" } } });
      expect((await roll(old.id)).status).toBe(201);
    });
  });

  describe("revoking", () => {
    test("twice succeeds, and keeps the first time", async () => {
      const { id } = await gateway.createKey(account, "read");
      const first = keyOf(await revoke(id));
      clock.advance(day);
      expect(keyOf(await revoke(id))).toEqual(first);
      expect((await read(id)).revokedAt).toBe("2026-03-09T12:00:00.000Z");
    });

    test("ends a rolled key within its overlap, and leaves the successor alone", async () => {
      const old = await gateway.createKey(account, "read");
      const successor = withSecretOf(await roll(old.id, 3600));
      await revoke(old.id);
      expect([await statusWith(old.secret), await statusWith(successor.secret)]).toEqual([401, 200]);
    });

    describe("the last admin key of an account without an owner", () => {
      const revokeBy = (key: { id: string; secret: string }, id = key.id): Promise<Answer> =>
        gateway.call({ method: "DELETE", target: `${keys}/${id}`, key: key.secret, headers: freshClient() });
      const lastAdminKey = { status: 409, json: { error: { code: "LAST_ADMIN_KEY" } } };
      let alone: Account;
      let last: { id: string; secret: string };

      beforeEach(async () => {
        alone = await gateway.createAccount();
        last = await gateway.createKey(alone, "admin");
      });

      test("stays, whatever other keys there are or were", async () => {
        await gateway.createKey(alone, "write");
        const expiring = await gateway.createKey(alone, "admin", new Date(clock.now() + day));
        const revoked = await gateway.createKey(alone, "admin");
        expect((await revokeBy(last, revoked.id)).status).toBe(200);
        clock.advance(day);
        const before = await digestDatabase(gateway.database);
        expect(await revokeBy(last)).toMatchObject(lastAdminKey);
        expect(await digestDatabase(gateway.database)).toEqual(before);
        expect([(await revokeBy(last, revoked.id)).status, (await revokeBy(last, expiring.id)).status]).toEqual([
          200, 200,
        ]);
        expect(await statusWith(last.secret)).toBe(200);
      });

      test("stays beside one that was rolled, for that one ends; and rolling itself goes on", async () => {
        const rolled = await gateway.call({
          method: "POST",
          target: `${keys}/${last.id}/roll`,
          key: last.secret,
          body: { overlapSeconds: 3600 },
        });
        const successor = withSecretOf(rolled);
        expect(await revokeBy(last, successor.id)).toMatchObject(lastAdminKey);
        expect((await revokeBy(successor, last.id)).status).toBe(200);
        expect(await revokeBy(successor)).toMatchObject(lastAdminKey);
      });

      test("goes once an owner has joined, and not for one who is only invited", async () => {
        const invite = { accountId: alone.id, email: "owner@example.com", role: "owner" } as const;
        await gateway.platform.transaction(({ accounts }) => accounts.people.invite(invite));
        expect(await revokeBy(last)).toMatchObject(lastAdminKey);
        await createTestGrant(gateway, alone, { role: "owner" });
        expect((await revokeBy(last)).status).toBe(200);
      });

      test("goes by an operator", async () => {
        const revoke = { id: last.id, accountId: alone.id, evenLast: true };
        expect(await gateway.platform.transaction(({ accounts }) => accounts.apiKeys.revoke(revoke))).not.toBeNull();
        await isRefusedSoon(last.secret);
      });

      test("is what twenty leave who revoke two keys at once", async () => {
        const other = await gateway.createKey(alone, "admin");
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => revokeBy(index < 10 ? last : other, index % 2 ? last.id : other.id)),
        );
        expect(answers.some(({ status }) => status === 200)).toBe(true);
        const { items } = await gateway.platform.accounts.apiKeys.list({ accountId: alone.id, limit: 100 });
        expect([items.length, items.filter(({ revokedAt }) => revokedAt === null).length]).toEqual([2, 1]);
      });
    });

    test.each<Permission>(["read", "write"])("a %s key cannot end another or itself", async (permission) => {
      const own = await gateway.createKey(account, permission);
      const answer = await gateway.call({ method: "DELETE", target: `${keys}/${own.id}`, key: own.secret });
      expect([answer.status, await statusWith(own.secret)]).toEqual([403, 200]);
    });
  });
});

function keyOf({ json }: Answer): Schemas["ApiKey"] {
  return (json as { data: Schemas["ApiKey"] }).data;
}

function withSecretOf({ json, status, text }: Answer): Schemas["ApiKeyWithSecret"] {
  expect({ status, text }).toMatchObject({ status: 201 });
  return (json as { data: Schemas["ApiKeyWithSecret"] }).data;
}
