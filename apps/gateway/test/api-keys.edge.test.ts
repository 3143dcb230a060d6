import type { Schemas } from "@gateway/contract";
import type { ApiKeyWithSecret, Permission } from "@gateway/platform/accounts";
import { createTestClock, digestDatabase, holdLock, useEach } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { atOnce, countCodes, dataOf, invalid, refused } from "./support/answers.ts";
import { createApiClient } from "./support/api-client.ts";
import { expectHeard } from "./support/expect-heard.ts";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { createTestGrant } from "./support/test-issuer.ts";
import { useGateway } from "./support/use-gateway.ts";

type ApiKey = Schemas["ApiKey"];
type WithSecret = Schemas["ApiKeyWithSecret"];
type Own = { id: string; secret: string };

const day = 86_400_000;
const noon = "2026-03-09T12:00:00.000Z";
const notActive = refused("API_KEY_NOT_ACTIVE");
const freshClient = createFreshClients();
const clock = createTestClock(Date.parse(noon));
const gateway = useGateway({ clock, env: behindProxy });
beforeEach(() => clock.set(Date.parse(noon)));
const client = useEach(() => createApiClient(gateway));

const timeIn = (ms: number): string => new Date(clock.now() + ms).toISOString();
const createKey = (permission: Permission, expiresAt?: Date): Promise<ApiKeyWithSecret> =>
  gateway.createKey(client.account, permission, expiresAt);
const create = (more: object = {}) => client.call("POST", "/api-keys", { name: "CI", permission: "read", ...more });
const created = async (more?: object): Promise<WithSecret> => dataOf(await create(more), 201);
const read = (id: string): Promise<ApiKey> => client.get(`/api-keys/${id}`);
const revoke = (id: string) => client.call("DELETE", `/api-keys/${id}`);
const roll = (id: string, overlapSeconds: number = 0, headers = {}): Promise<Answer> =>
  client.call("POST", `/api-keys/${id}/roll`, { overlapSeconds }, headers);
const rolled = async (...args: Parameters<typeof roll>): Promise<WithSecret> => dataOf(await roll(...args), 201);
const statusWith = async (key: string): Promise<number> =>
  (await gateway.call({ target: "/api/v1/account", key, headers: freshClient() })).status;
const statusesWith = (...keys: Own[]) => Promise.all(keys.map(({ secret }) => statusWith(secret)));

/** The response to a change may overtake the notification that makes the cache forget the key. */
const isRefusedSoon = (key: string): Promise<void> => expectHeard(async () => (await statusWith(key)) === 401);

async function expectInVain(ask: () => Promise<Answer>, expected: object): Promise<void> {
  const before = await digestDatabase(gateway.database);
  expect(await ask()).toMatchObject(expected);
  expect(await digestDatabase(gateway.database)).toEqual(before);
}

test("from its creation to its end, a key works exactly while it is active", async () => {
  const key = await created({ name: "CI 🔑" });
  expect(key).toEqual({
    ...{ id: expect.stringMatching(/^key_/), name: "CI 🔑", permission: "read", status: "active" },
    ...{ secret: expect.stringMatching(/^gk_test_/), hint: `gk_test_…${key.secret.slice(-4)}`, createdAt: noon },
    ...{ rollDueAt: "2026-06-07T12:00:00.000Z", expiresAt: null, revokedAt: null, replacedBy: null },
    ...{ lastUsedAt: null, lastUsedFrom: null },
    createdBy: { type: "apiKey", id: client.keyId, applicationId: null },
  });
  expect(await statusWith(key.secret)).toBe(200);
  const { secret: _, ...shown } = key;
  expect(await read(key.id)).toEqual(shown);
  expect(dataOf(await revoke(key.id))).toMatchObject({ status: "revoked", revokedAt: noon });
  await isRefusedSoon(key.secret);
  expect(await read(key.id)).toMatchObject({ status: "revoked" });
});

test("a key is due to be rolled 90 days after its creation, and what it is rolled to 90 days after its own", async () => {
  const { id, rollDueAt } = await created();
  clock.advance(90 * day);
  expect(rollDueAt).toBe(timeIn(0));
  expect(await read(id)).toMatchObject({ rollDueAt, status: "active" });
  expect(await rolled(id, 60)).toMatchObject({ createdAt: rollDueAt, rollDueAt: timeIn(90 * day) });
});

test("a secret is shown once: no later answer has it", async () => {
  const { id, secret } = await created();
  const successor = await rolled(id, 60);
  const read = (path: string) => client.call("GET", path);
  const answers = [await read("/api-keys"), await read(`/api-keys/${id}`), await revoke(id)];
  for (const { text, status } of answers) {
    expect(status).toBe(200);
    expect([secret, successor.secret, '"secret"'].filter((part) => text.includes(part))).toEqual([]);
  }
});

test("the list has the keys of the account alone, newest first, the ended ones too", async () => {
  // Two generators make the ids, so their order is undefined within a millisecond.
  clock.advance(1);
  const { id } = await created();
  await revoke(id);
  await gateway.createKey(await gateway.createAccount(), "admin");
  expect(await client.get("/api-keys")).toMatchObject([
    { id, status: "revoked" },
    { id: client.keyId, status: "active" },
  ]);
});

describe("expiresAt", () => {
  test.each(["2026-03-09T12:00:00.001Z", "2026-03-09T14:00:00.001+02:00", "2100-01-01T00:00:00.000000001Z"])(
    "%s, which is to come, is taken",
    async (expiresAt) => {
      const key = await created({ expiresAt });
      expect(key).toMatchObject({ expiresAt: new Date(expiresAt).toISOString(), status: "active" });
      clock.set(Date.parse(expiresAt) - 1);
      expect(await statusWith(key.secret)).toBe(200);
      clock.set(Date.parse(expiresAt));
      await isRefusedSoon(key.secret);
    },
  );

  // The document refuses values that are not times.
  test.each(["2026-03-09T12:00:00Z", "2026-03-09T14:00:00+02:00", "1970-01-01T00:00:00Z", "0000-01-01T00:00:00Z"])(
    "%s, which has passed, is refused, and no key is made",
    (expiresAt) => expectInVain(() => create({ expiresAt }), invalid("expiresAt")),
  );
});

describe("rolling", () => {
  test.each([0, 1, 86_400])(
    "with an overlap of %i s the old key works for so long, and the new one from the start",
    async (overlapSeconds) => {
      const old = await createKey("write");
      const successor = await rolled(old.id, overlapSeconds);
      expect(successor).toMatchObject({ name: old.name, permission: "write", expiresAt: null, status: "active" });
      const status = overlapSeconds === 0 ? "expired" : "active";
      const end = { replacedBy: successor.id, expiresAt: timeIn(overlapSeconds * 1000), status };
      expect(await read(old.id)).toMatchObject(end);
      clock.advance(Math.max(0, overlapSeconds * 1000 - 1));
      expect(await statusesWith(old, successor)).toEqual([overlapSeconds === 0 ? 401 : 200, 200]);
      clock.advance(1);
      expect(await statusesWith(old, successor)).toEqual([401, 200]);
    },
  );

  test("a rolled key is rolled once, also when ten ask at once", async () => {
    const { id } = await createKey("read");
    expect(countCodes(await atOnce(10, () => roll(id, 60)))).toEqual({ 201: 1, API_KEY_NOT_ACTIVE: 9 });
    await expectInVain(() => roll(id, 60), notActive);
  });

  test("a revoked key and an expired one are refused", async () => {
    const [revoked, expired] = [await createKey("read"), await createKey("read", new Date(clock.now() + 1))];
    await revoke(revoked.id);
    clock.advance(1);
    expect([await roll(revoked.id), await roll(expired.id)]).toMatchObject([notActive, notActive]);
  });

  test("an overlap never lengthens the life of a key that ends earlier, and the successor lives as long as the old key was meant to", async () => {
    const old = await createKey("read", new Date(clock.now() + 10 * day));
    clock.advance(10 * day - 1000);
    const successor = await rolled(old.id, 86_400);
    expect((await read(old.id)).expiresAt).toBe(timeIn(1000));
    expect(successor.expiresAt).toBe(timeIn(10 * day));
  });

  test("a key may roll itself at once, and its successor takes over", async () => {
    const own = await createKey("admin");
    const successor = await rolled(own.id, 0, { "X-API-Key": own.secret });
    expect(await statusWith(successor.secret)).toBe(200);
    await isRefusedSoon(own.secret);
  });

  test("while another change holds the key, the answer is 503 with Retry-After and nothing is done", async () => {
    const old = await createKey("read");
    const { databaseUrl } = gateway;
    const hasty = await startTestGateway({ databaseUrl, clock, env: behindProxy, databaseLimits: {} });
    const lock = await holdLock(databaseUrl, `select from api_keys where id = '${old.id}' for update`);
    const target = `/api/v1/api-keys/${old.id}/roll`;
    const answer = await hasty.call({ method: "POST", target, key: client.key, body: { overlapSeconds: 0 } });
    await lock.release();
    await hasty.stop();
    expect(answer).toMatchObject(refused("UNAVAILABLE"));
    await rolled(old.id);
  });
});

describe("revoking", () => {
  test("twice succeeds, and keeps the first time", async () => {
    const { id } = await createKey("read");
    const first = dataOf(await revoke(id));
    clock.advance(day);
    expect(dataOf(await revoke(id))).toEqual(first);
    expect((await read(id)).revokedAt).toBe(noon);
  });

  test("ends a rolled key within its overlap, and leaves the successor alone", async () => {
    const old = await createKey("read");
    const successor = await rolled(old.id, 3600);
    await revoke(old.id);
    expect(await statusesWith(old, successor)).toEqual([401, 200]);
  });
});

describe("the last admin key of an account without an owner", () => {
  const revokeBy = ({ secret }: Own, { id }: Pick<Own, "id">): Promise<Answer> =>
    client.call("DELETE", `/api-keys/${id}`, undefined, { "X-API-Key": secret, ...freshClient() });
  const lastAdminKey = refused("LAST_ADMIN_KEY");
  let last: Own;
  beforeEach(() => {
    last = { id: client.keyId, secret: client.key };
  });

  test("stays, whatever other keys there are or were", async () => {
    await createKey("write");
    const [expiring, revoked] = [await createKey("admin", new Date(clock.now() + day)), await createKey("admin")];
    expect((await revokeBy(last, revoked)).status).toBe(200);
    clock.advance(day);
    await expectInVain(() => revokeBy(last, last), lastAdminKey);
    expect([(await revokeBy(last, revoked)).status, (await revokeBy(last, expiring)).status]).toEqual([200, 200]);
    expect(await statusWith(last.secret)).toBe(200);
  });

  test("stays beside one that was rolled, for that one ends; and rolling itself goes on", async () => {
    const successor = await rolled(last.id, 3600);
    expect(await revokeBy(last, successor)).toMatchObject(lastAdminKey);
    expect((await revokeBy(successor, last)).status).toBe(200);
    expect(await revokeBy(successor, successor)).toMatchObject(lastAdminKey);
  });

  test("goes once an owner has joined, and not for one who is only invited", async () => {
    const invite = { accountId: client.account.id, email: "owner@example.com", role: "owner" } as const;
    await gateway.platform.transaction(({ accounts }) => accounts.people.invite(invite));
    expect(await revokeBy(last, last)).toMatchObject(lastAdminKey);
    await createTestGrant(gateway, client.account, { role: "owner" });
    expect((await revokeBy(last, last)).status).toBe(200);
  });

  test("goes by an operator", async () => {
    const own = { id: last.id, accountId: client.account.id, evenLast: true };
    expect(await gateway.platform.transaction(({ accounts }) => accounts.apiKeys.revoke(own))).not.toBeNull();
    await isRefusedSoon(last.secret);
  });

  test("is what twenty leave who revoke two keys at once", async () => {
    const other = await createKey("admin");
    const answers = await atOnce(20, (index) => revokeBy(index < 10 ? last : other, index % 2 ? last : other));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    const { items } = await gateway.platform.accounts.apiKeys.list({ accountId: client.account.id, limit: 100 });
    expect([items.length, items.filter(({ revokedAt }) => revokedAt === null).length]).toEqual([2, 1]);
  });
});
