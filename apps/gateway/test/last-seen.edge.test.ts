import type { Schemas } from "@gateway/contract";
import type { Account } from "@gateway/platform/accounts";
import { createTestClock } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { dataOf } from "./support/answers.ts";
import { startTestGateway } from "./support/test-gateway.ts";
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

describe("a request with an access token", () => {
  test("is when its person was seen and its application used, and nobody else; a gateway that stops writes it", async () => {
    const [one, other] = [await createTestGrant(gateway, account), await createTestGrant(gateway, account)];
    const second = await startTestGateway({ databaseUrl: gateway.databaseUrl, clock, issuer });
    const call = async (grant: TestGrant): Promise<number> => {
      const headers = bearer(await mintToken(issuer, grant, { nowMs: clock.now() }));
      return (await second.call({ target: "/api/v1/account", headers })).status;
    };
    expect(await call(one)).toBe(200);
    clock.advance(61_000);
    expect(await call(one)).toBe(200);
    expect((await personOf(one)).lastSeenAt).toBeNull();
    await second.stop();
    const at = new Date(startMs + 61_000).toISOString();
    expect(await Promise.all([personOf(one), personOf(other)])).toMatchObject([
      { lastSeenAt: at },
      { lastSeenAt: null },
    ]);
    expect(await Promise.all([applicationOf(one), applicationOf(other)])).toMatchObject([
      { lastUsedAt: at },
      { lastUsedAt: null },
    ]);
  });

  test("that is refused for its credential tells of nobody", async () => {
    const grant = await createTestGrant(gateway, account);
    const second = await startTestGateway({ databaseUrl: gateway.databaseUrl, clock, issuer });
    await gateway.platform.accounts.grants.revoke(grant.grantId);
    const headers = bearer(await mintToken(issuer, grant, { nowMs: clock.now() }));
    expect((await second.call({ target: "/api/v1/account", headers })).status).toBe(401);
    await second.stop();
    expect(await personOf(grant)).toMatchObject({ lastSeenAt: null });
    expect(await applicationOf(grant)).toMatchObject({ lastUsedAt: null });
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
