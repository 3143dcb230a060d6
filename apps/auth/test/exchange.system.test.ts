import { createTestClock, holdLock, waitFor, useAll } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { createOauthClient, type OauthClient, type TokenAnswer } from "./support/oauth-client.ts";
import { startTestAuth, type TestAuth } from "./support/test-auth.ts";
import { useAuth } from "./support/use-auth.ts";

/** Two processes on one Postgres. */
describe("exchanges of codes and refresh tokens", () => {
  const clock = createTestClock(Date.now());
  const auth = useAuth({ processes: 2, clock });
  const person = useAll(() => auth.createPerson());
  const client = useAll(async () => createOauthClient(auth, await auth.createApplication(person.account)));

  /** Calls both processes in turns, all at once. */
  const atOnce = (count: number, ask: (port: number | undefined) => Promise<TokenAnswer>): Promise<TokenAnswer[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(auth.ports[index % 2])));
  const expectDead = async (refreshToken: string): Promise<void> => {
    const { status, json } = await client.refresh(refreshToken);
    expect({ status, error: json.error }).toEqual({ status: 400, error: "invalid_grant" });
  };

  test("a code that is used twice is refused, and the tokens of the first use are dead", async () => {
    const authorization = await client.authorize(person);
    const first = await client.exchange(authorization, { port: auth.ports[0] });
    expect(first.status).toBe(200);
    const second = await client.exchange(authorization, { port: auth.ports[1] });
    expect(second).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
    await expectDead(first.json.refresh_token);
  });

  test("of 20 exchanges of one code at once, one is answered and 19 are refused", async () => {
    const authorization = await client.authorize(person);
    const answers = await atOnce(20, (port) => client.exchange(authorization, { port }));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 400)]);
    expect(new Set(answers.filter(({ status }) => status === 400).map(({ json }) => json.error))).toEqual(
      new Set(["invalid_grant"]),
    );
    // The other 19 may have been a thief's, and so may the first.
    await expectDead(answers.find(({ status }) => status === 200)?.json.refresh_token ?? "");
  });

  test("of two exchanges that have both found the code unused, in two processes, one is answered", async () => {
    const authorization = await client.authorize(person);
    const codes = "select from oidc_records where model = 'AuthorizationCode' for update";
    const lock = await holdLock(auth.databaseUrl, codes);
    const exchanges = auth.ports.map((port) => client.exchange(authorization, { port }));
    await waitFor(async () => (await countWaiting(auth)) === 2);
    await lock.release();
    const answers = await Promise.all(exchanges);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400]);
  });

  test("of 20 refreshes with one token at once, each answer is the very same", async () => {
    const { refresh_token: token } = await client.connect(person);
    const answers = await atOnce(20, (port) => client.refresh(token, { port }));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.get("Content-Type"))).size).toBe(1);
    // The family has one head, and it is alive.
    expect(await client.refresh(answers[0]?.json.refresh_token ?? "")).toMatchObject({ status: 200 });
  });

  test("40 exchanges of different codes at once all succeed: those that wait hold no connection", async () => {
    const browser = await auth.openBrowser(person);
    const authorizations = [];
    for (let count = 0; count < 40; count += 1) {
      authorizations.push(await client.authorize(person, { browser }));
    }
    const answers = await Promise.all(authorizations.map((each) => client.exchange(each)));
    expect(new Set(answers.map(({ status, json }) => json.error ?? status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ json }) => json.refresh_token)).size).toBe(40);
  });

  test("a token that was used gets the same answer for 30 s, from another process too", async () => {
    const { refresh_token: token } = await client.connect(person);
    const first = await client.refresh(token, { port: auth.ports[0] });
    clock.advance(29_999);
    const again = await client.refresh(token, { port: auth.ports[1] });
    expect(again).toMatchObject({ status: 200, text: first.text });
  });

  test("a token that was used 30 s ago is refused, and the newest of its family is dead", async () => {
    const { refresh_token: token } = await client.connect(person);
    const first = await client.refresh(token);
    const second = await client.refresh(first.json.refresh_token);
    clock.advance(30_000);
    await expectDead(token);
    await expectDead(second.json.refresh_token);
    const grants = await auth.database.kysely
      .selectFrom("grants")
      .select("revoked_at")
      .orderBy("created_at", "desc")
      .limit(1)
      .execute();
    expect(grants).toEqual([{ revoked_at: expect.any(Date) }]);
  });

  test("an answer is not given again once its grant was revoked", async () => {
    const { refresh_token: token } = await client.connect(person);
    await client.refresh(token);
    await auth.platform.accounts.grants.revokeAll({ userId: person.user.id });
    await expectDead(token);
  });

  describe("a code or refresh token that another application sends", () => {
    let thief: OauthClient;
    beforeAll(async () => {
      const application = await auth.createApplication(person.account, { name: "Another" });
      thief = createOauthClient(auth, application);
    });

    test("is refused also while its own answer would be given again, which goes on being given", async () => {
      const { refresh_token: token } = await client.connect(person);
      const { text } = await client.refresh(token);
      expect(await thief.refresh(token)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
      expect(await client.refresh(token)).toMatchObject({ status: 200, text });
    });
  });

  test("a code is worth nothing after 60 s", async () => {
    const authorization = await client.authorize(person);
    clock.advance(60_000);
    expect(await client.exchange(authorization)).toMatchObject({ status: 400, json: { error: "invalid_grant" } });
  });

  test("a refresh token says nothing that its application was not let do", async () => {
    const { refresh_token: token } = await client.connect(person, { scope: "openid read" });
    expect(await client.refresh(token, { form: { scope: "openid admin" } })).toMatchObject({
      status: 400,
      json: { error: "invalid_scope" },
    });
    expect(await client.refresh(token, { form: { scope: "read" } })).toMatchObject({
      status: 200,
      json: { scope: "read" },
    });
  });

  test("a person who left the account has nothing to refresh", async () => {
    const colleague = await auth.createPerson({ account: person.account, role: "member" });
    const { refresh_token: token } = await client.connect(colleague);
    const people = await auth.platform.accounts.people.listOfUser(colleague.user.id);
    await auth.platform.transaction((services) =>
      services.accounts.people.remove({ id: people[0]?.personId ?? "", accountId: person.account.id }),
    );
    await expectDead(token);
  });
});

/** Three quarters of the connections of a process. */
const slots = 12;

/** The number of statements that wait for a lock. */
async function countWaiting({ database }: TestAuth): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `.execute(database.kysely);
  return rows[0]?.count ?? 0;
}

/** A process that has just started and does not know an application yet. */
describe("100 refreshes with one token at once", () => {
  const clock = createTestClock(Date.now());
  const auth = useAuth({ clock });
  let client: OauthClient;
  let token: string;

  beforeAll(async () => {
    const person = await auth.createPerson();
    client = createOauthClient(auth, await auth.createApplication(person.account));
    ({ refresh_token: token } = await client.connect(person));
    // The application that the process has cached is now too old.
    clock.advance(60_000);
  });

  test("all get the very same answer, round after round", async () => {
    for (let round = 1; round <= 2; round += 1) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => client.refresh(token)));
      expect({ round, answers: new Set(answers.map(({ status, text }) => `${status} ${text}`)).size }).toEqual({
        round,
        answers: 1,
      });
      expect(answers[0]?.status).toBe(200);
      token = answers[0]?.json.refresh_token ?? "";
    }
  });
});

describe("a refresh that is repeated", () => {
  test("is answered while every exchange slot is taken, a hundred times at once too", async () => {
    const auth = await startTestAuth({ mayFail: true, databaseLimits: { queryTimeoutMs: 60_000 } });
    const person = await auth.createPerson();
    const client = createOauthClient(auth, await auth.createApplication(person.account));
    const { refresh_token: used } = await client.connect(person);
    const { text } = await client.refresh(used);
    const browser = await auth.openBrowser(person);
    const codes = [];
    for (let count = 0; count < slots; count += 1) {
      codes.push(await client.authorize(person, { browser }));
    }

    const lock = await holdLock(
      auth.databaseUrl,
      "select from oidc_records where model = 'AuthorizationCode' for update",
    );
    const exchanges = codes.map((code) => client.exchange(code));
    await waitFor(async () => (await countWaiting(auth)) === slots);
    const answers = await Promise.all(Array.from({ length: 100 }, () => client.refresh(used)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`))).toEqual(new Set([`200 ${text}`]));
    await lock.release();
    await Promise.all(exchanges);
    await auth.stop();
  });
});
