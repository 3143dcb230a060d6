import type { Schemas } from "@gateway/contract";
import type { Account } from "@gateway/platform/accounts";
import { createTestClock } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { behindProxy } from "./support/addresses.ts";
import { atOnce, dataOf } from "./support/answers.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { bearer, createTestGrant, mintToken, type TestGrant } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const startMs = Date.UTC(2026, 2, 9, 12);

let account: Account;
let key: string;

const clock = createTestClock(startMs);
const issuer = useIssuer();
const gateway = useGateway({ clock, issuer });
beforeEach(async () => {
  clock.set(startMs);
  account = await gateway.createAccount();
  key = (await gateway.createKey(account, "admin")).secret;
});

const get = async <Data>(target: string): Promise<Data> => dataOf<Data>(await gateway.call({ target, key }));
const personOf = ({ personId }: TestGrant): Promise<Schemas["Person"]> => get(`/api/v1/people/${personId}`);
const applicationOf = ({ applicationId }: TestGrant): Promise<Schemas["OauthApplication"]> =>
  get(`/api/v1/oauth-applications/${applicationId}`);

const timeIn = (ms: number): string => new Date(startMs + ms).toISOString();
const keyOf = ({ id }: { id: string }): Promise<Schemas["ApiKey"]> => get(`/api/v1/api-keys/${id}`);
const callAt = async (at: TestGateway, by: TestGrant | { secret: string }): Promise<number> => {
  const credential =
    "secret" in by ? { "X-API-Key": by.secret } : bearer(await mintToken(issuer, by, { nowMs: clock.now() }));
  return (await at.call({ target: "/api/v1/account", headers: credential })).status;
};

describe("a request", () => {
  test("is when its person was seen, its application or its key used, and nobody else; a gateway that stops writes it", async () => {
    const [one, other] = [await createTestGrant(gateway, account), await createTestGrant(gateway, account)];
    const [used, idle] = [await gateway.createKey(account, "read"), await gateway.createKey(account, "read")];
    const second = await startTestGateway({ databaseUrl: gateway.databaseUrl, clock, issuer });
    for (const ms of [0, 61_000]) {
      clock.set(startMs + ms);
      expect([await callAt(second, one), await callAt(second, used)]).toEqual([200, 200]);
    }
    expect((await personOf(one)).lastSeenAt).toBeNull();
    await second.stop();
    const at = timeIn(61_000);
    expect([(await personOf(one)).lastSeenAt, (await personOf(other)).lastSeenAt]).toEqual([at, null]);
    expect([(await applicationOf(one)).lastUsedAt, (await applicationOf(other)).lastUsedAt]).toEqual([at, null]);
    expect([(await keyOf(used)).lastUsedAt, (await keyOf(idle)).lastUsedAt]).toEqual([at, null]);
  });

  test("that is refused for its credential tells of nobody", async () => {
    const grant = await createTestGrant(gateway, account);
    const revoked = await gateway.createKey(account, "read");
    const second = await startTestGateway({ databaseUrl: gateway.databaseUrl, clock, issuer });
    await gateway.platform.accounts.grants.revoke(grant.grantId);
    await gateway.platform.accounts.apiKeys.revoke({ id: revoked.id, accountId: account.id });
    expect([await callAt(second, grant), await callAt(second, revoked)]).toEqual([401, 401]);
    await second.stop();
    expect(await personOf(grant)).toMatchObject({ lastSeenAt: null });
    expect(await applicationOf(grant)).toMatchObject({ lastUsedAt: null });
    expect(await keyOf(revoked)).toMatchObject({ lastUsedAt: null });
  });

  test("of before never replaces a later one, whichever gateway writes first", async () => {
    const grant = await createTestGrant(gateway, account);
    const { people, oauthApplications } = gateway.platform.accounts;
    for (const ms of [5, 9, 7]) {
      const at = new Date(startMs + ms);
      await people.recordUse([{ id: grant.personId, at }]);
      await oauthApplications.recordUse([{ id: grant.applicationId, at }]);
    }
    const last = new Date(startMs + 9).toISOString();
    expect([(await personOf(grant)).lastSeenAt, (await applicationOf(grant)).lastUsedAt]).toEqual([last, last]);
  });

  test("with a key says from where it came, in 120 characters of what its sender calls itself, without what may be a secret; of an earlier one nothing is kept", async () => {
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

  test("with a key of before never replaces a later one, nor its place, of gateways that write at the same time", async () => {
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
});

describe("the people of an application", () => {
  let grant: TestGrant;
  beforeEach(async () => {
    grant = await createTestGrant(gateway, account);
  });
  const consent = (id: string, { userId, accountId }: Pick<TestGrant, "userId" | "accountId">): Promise<void> =>
    gateway.platform.transaction(({ accounts }) =>
      accounts.grants.create({
        id: `${id} ${grant.applicationId}`,
        userId,
        accountId,
        applicationId: grant.applicationId,
        permission: "read",
      }),
    );
  const count = async (): Promise<number> => (await applicationOf(grant)).peopleCount;

  test("are those who let it in now, of whatever account, each once, alone and in the list", async () => {
    expect(await count()).toBe(1);
    await consent("again", grant);
    expect(await count()).toBe(1);
    const elsewhere = await createTestGrant(gateway, await gateway.createAccount());
    await consent("elsewhere", elsewhere);
    const alone = await createTestGrant(gateway, account);
    const list = await get<Schemas["OauthApplication"][]>("/api/v1/oauth-applications");
    expect(list.map(({ id, peopleCount }) => [id, peopleCount])).toEqual([
      [alone.applicationId, 1],
      [grant.applicationId, 2],
    ]);
    await gateway.platform.accounts.grants.revoke(`elsewhere ${grant.applicationId}`);
    expect(await count()).toBe(1);
  });

  test("are as they were in the answer that deletes the application, and none in one that registers it", async () => {
    const target = "/api/v1/oauth-applications";
    const body = { name: "A", redirectUris: ["https://app.example.com/"], scopes: ["read"] };
    expect(dataOf(await gateway.call({ method: "POST", target, key, body }), 201)).toMatchObject({ peopleCount: 0 });
    const own = `${target}/${grant.applicationId}`;
    expect(dataOf(await gateway.call({ method: "PATCH", target: own, key, body: { name: "B" } }))).toMatchObject({
      name: "B",
      peopleCount: 1,
    });
    expect(dataOf(await gateway.call({ method: "DELETE", target: own, key }))).toMatchObject({ peopleCount: 1 });
  });

  test.each([
    [999, 999],
    [1000, 1000],
    [1001, 1000],
  ])("of %i consents are counted %i", async (consents, counted) => {
    // Inserted by SQL, because there are many. Each has its own account.
    const other = sql`${grant.accountId} || '-' || n`;
    const numbers = sql`generate_series(2, ${consents}::int) n`;
    const { kysely } = gateway.database;
    await sql`
      insert into accounts (id, email, tier, created_at)
      select ${other}, n || ${`@${grant.grantId}.example.com`}, 'starter', now() from ${numbers}
    `.execute(kysely);
    await sql`
      insert into grants (id, user_id, account_id, application_id, permission, created_at)
      select ${grant.grantId} || n, user_id, ${other}, application_id, permission, created_at
      from grants, ${numbers} where id = ${grant.grantId}
    `.execute(kysely);
    expect(await count()).toBe(counted);
  });
});
