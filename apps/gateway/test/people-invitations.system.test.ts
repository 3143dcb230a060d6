import { createCipher } from "@gateway/kernel";
import { openUserMail, type UserMail } from "@gateway/platform/mails";
import { createTestClock, digestDatabase, type TestClock } from "@gateway/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import type { Answer } from "./support/http-client.ts";
import { issuerWithoutKeys } from "./support/issuer-without-keys.ts";
import { createPeopleClient, dataOf, freshAddress, joinAs, type PeopleClient } from "./support/people-client.ts";
import { encryptionKey, startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { startTestIssuer, type TestIssuer } from "./support/test-issuer.ts";

const path = "/api/v1/people";
const day = 86_400_000;
const refused = (code: string): object => ({ status: 409, json: { error: { code } } });

let issuer: TestIssuer;
let gateway: TestGateway;
let clock: TestClock;
let client: PeopleClient;

beforeAll(async () => {
  clock = createTestClock(Date.UTC(2026, 2, 9, 12));
  issuer = await startTestIssuer();
  gateway = await startTestGateway({ clock, issuer });
});
beforeEach(async () => {
  clock.set(Date.UTC(2026, 2, 9, 12));
  client = await createPeopleClient(gateway);
});
afterAll(async () => {
  await gateway.stop();
  await issuer.stop();
});

describe("an invitation", () => {
  test("is a person without a name who has not joined, alone and in the list", async () => {
    const person = await client.invited("Grace@Example.com", "viewer");
    expect(person).toEqual({
      id: expect.stringMatching(/^per_/),
      email: "Grace@Example.com",
      name: null,
      role: "viewer",
      status: "invited",
      invitedAt: "2026-03-09T12:00:00.000Z",
      joinedAt: null,
      lastSeenAt: null,
      createdBy: { type: "apiKey", id: expect.stringMatching(/^key_/), applicationId: null },
    });
    expect(dataOf(await client.read(person.id))).toEqual(person);
    expect(await client.listed()).toEqual([person]);
  });

  test("is mailed with a link that leads to this person once, for seven days, and is nowhere else", async () => {
    const email = freshAddress();
    const person = await client.invited(email, "owner");
    const [mail, ...others] = await mailsTo(email);
    expect(others).toEqual([]);
    expect(mail).toEqual({
      kind: "invitation",
      url: expect.stringContaining(`${issuer.authProvider.authUrl}/invitations/accept?token=`),
      accountEmail: client.account.email,
      role: "owner",
    });
    const secret = secretOf(mail);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(holdsText(await dumpDatabase(gateway.database), secret)).toBe(false);
    const { mailLinks } = gateway.platform.auth;
    clock.advance(7 * day - 1);
    expect(await mailLinks.find(secret, "password_reset")).toBeNull();
    expect(await mailLinks.find(secret, "invitation")).toEqual({
      purpose: "invitation",
      email,
      personId: person.id,
      userId: null,
      accountId: null,
    });
    clock.advance(1);
    expect(await mailLinks.find(secret, "invitation")).toBeNull();
  });

  test("repeated under its idempotency key is one person and one mail", async () => {
    const email = freshAddress();
    const send = (): Promise<Answer> =>
      client.call("POST", "", { email, role: "viewer" }, { "Idempotency-Key": `invite ${email}`.replaceAll(" ", "-") });
    const [first, second] = [await send(), await send()];
    expect(second.text).toBe(first.text);
    expect(await client.listed()).toHaveLength(1);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test("of an address that a person has is refused in any letter case, invited or joined, and sends no mail", async () => {
    const person = await client.invited("ada.lovelace@example.com");
    const before = await digestDatabase(gateway.database);
    expect(await client.invite("Ada.Lovelace@EXAMPLE.com")).toMatchObject(refused("PERSON_EXISTS"));
    expect(await digestDatabase(gateway.database)).toEqual(before);
    await joinAs(gateway, person.id, "ada.lovelace@example.com");
    expect(await client.invite("ada.lovelace@example.com")).toMatchObject(refused("PERSON_EXISTS"));
  });

  test("of an address that a person of another account has is taken", async () => {
    const grant = await (await createPeopleClient(gateway)).joined("owner");
    expect((await client.invited(`${grant.grantId}@example.com`)).status).toBe("invited");
  });

  test("of one address, sent several times at once, is one person", async () => {
    const email = freshAddress();
    const raced = await Promise.all(Array.from({ length: 6 }, () => client.invite(email)));
    expect(raced.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409, 409]);
    expect(await mailsTo(email)).toHaveLength(1);
  });

  test("may be sent again once the person is removed, and the first link leads nowhere", async () => {
    const email = freshAddress();
    const first = await client.invited(email);
    const [firstMail] = await mailsTo(email);
    dataOf(await client.remove(first.id));
    const second = await client.invited(email);
    expect(second.id).not.toBe(first.id);
    const { mailLinks } = gateway.platform.auth;
    expect(await mailLinks.use(secretOf(firstMail), "invitation")).toBeNull();
    const [secondMail] = (await mailsTo(email)).toReversed();
    expect(await mailLinks.use(secretOf(secondMail), "invitation")).toMatchObject({ personId: second.id });
  });

  test("to a stranger is mailed five times in 24 hours, whoever sends it and however it is spelled; then nothing is done", async () => {
    const email = freshAddress();
    const accounts = [client, await createPeopleClient(gateway)];
    for (let sent = 0; sent < 5; sent += 1) {
      const inviting = accounts[sent % 2] ?? client;
      const person = await inviting.invited(sent === 2 ? email.toUpperCase() : email);
      dataOf(await inviting.remove(person.id));
    }
    const before = await digestDatabase(gateway.database);
    for (const inviting of accounts) {
      const answer = await inviting.invite(email);
      expect(answer).toMatchObject({ status: 429, json: { error: { code: "RATE_LIMITED" } } });
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(86_000);
    }
    expect(await digestDatabase(gateway.database)).toEqual(before);
    await client.invited();
  });

  test("is mailed by an account 200 times in 24 hours", async () => {
    for (let batch = 0; batch < 20; batch += 1) {
      const people = await Promise.all(Array.from({ length: 10 }, () => client.invited()));
      await Promise.all(people.map(({ id }) => client.remove(id)));
    }
    expect(await client.invite(freshAddress())).toMatchObject({
      status: 429,
      json: { error: { code: "RATE_LIMITED" } },
    });
    await (await createPeopleClient(gateway)).invited();
  });

  test("is refused when the account has 200 people, also at once; a removed one makes room", async () => {
    const {
      accounts: { people },
      transaction,
    } = gateway.platform;
    const ids: string[] = [];
    for (let index = 0; index < 198; index += 1) {
      const email = `person-${index}@example.com`;
      ids.push(
        (
          await transaction((services) =>
            services.accounts.people.invite({ accountId: client.account.id, email, role: "viewer" }),
          )
        ).id,
      );
    }
    const raced = await Promise.all(Array.from({ length: 5 }, () => client.invite(freshAddress())));
    expect(raced.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409]);
    expect(await client.invite(freshAddress())).toMatchObject(refused("PERSON_LIMIT_REACHED"));
    const first = await people.list({ accountId: client.account.id, limit: 100 });
    const second = await people.list({ accountId: client.account.id, limit: 100, cursor: first.nextCursor ?? "" });
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([100, 100, null]);
    dataOf(await client.remove(ids[0] ?? ""));
    await client.invited();
    expect(await client.invite(freshAddress())).toMatchObject(refused("PERSON_LIMIT_REACHED"));
  });

  test("is refused with 503 where there is no identity provider to accept it at, and nothing is stored", async () => {
    const alone = await startTestGateway({ databaseUrl: gateway.databaseUrl });
    const before = await digestDatabase(gateway.database);
    const answer = await alone.call({
      method: "POST",
      target: path,
      key: client.key,
      body: { email: freshAddress(), role: "viewer" },
    });
    expect(answer).toMatchObject({ status: 503, json: { error: { code: "UNAVAILABLE" } } });
    expect(await digestDatabase(gateway.database)).toEqual(before);
    await alone.stop();
  });

  test.each([
    "a@b.co",
    "first.last+tag@mail.example.com",
    "o'hara@example.com",
    "x@xn--bcher-kva.example",
    `${"a".repeat(64)}@example.com`,
    `${"a".repeat(60)}@${`${"b".repeat(60)}.`.repeat(3)}example.xy`.slice(-254),
  ])("of %s is taken", async (email) => {
    expect((await client.invited(email)).email).toBe(email);
  });

  test.each([
    "",
    "a",
    "@",
    "a@b",
    "a@localhost",
    "a@127.0.0.1",
    "a@b..co",
    "a@.co",
    "a@b.co.",
    "a@-b.co",
    "a@b-.co",
    "a b@example.com",
    "a@b@example.com",
    "Ada <ada@example.com>",
    "ada@example.com\r\nBcc: eve@example.com",
    "ada@example.com,eve@example.com",
    '"a b"@example.com',
    "büro@example.com",
    "a@bücher.example",
    `${"a".repeat(65)}@example.com`,
    `a@${"b".repeat(64)}.com`,
    `a@${"b.".repeat(126)}com`,
    "a\u0000@example.com",
  ])("of %j is refused, and the field named", async (email) => {
    expect(await client.invite(email)).toMatchObject({
      status: 400,
      json: { error: { details: [{ field: "email" }] } },
    });
  });

  test.each([{ role: "admin" }, { role: "Owner" }, { role: null }, { role: ["owner"] }])(
    "with %j is refused, and so is such a change of role",
    async (body) => {
      const bad = { status: 400, json: { error: { details: [{ field: "role" }] } } };
      expect(await client.call("POST", "", { email: freshAddress(), ...body })).toMatchObject(bad);
      const { id } = await client.invited();
      expect(await client.call("PATCH", `/${id}`, body)).toMatchObject(bad);
    },
  );
});

test("an identity provider that cannot be reached keeps nobody from being invited", async () => {
  const other = await startTestGateway({ databaseUrl: gateway.databaseUrl, issuer: issuerWithoutKeys });
  const email = freshAddress();
  const answer = await other.call({ method: "POST", target: path, key: client.key, body: { email, role: "viewer" } });
  expect(answer.status).toBe(201);
  expect(urlOf((await mailsTo(email))[0])).toMatch(/^https:\/\/auth\.example\.com\/invitations\/accept\?token=/);
  await other.stop();
});

/** What waits to be mailed there, oldest first. */
async function mailsTo(email: string): Promise<UserMail[]> {
  const rows = await gateway.database.kysely
    .selectFrom("mails")
    .select(["id", "content"])
    .where("email", "=", email)
    .orderBy("id")
    .execute();
  const cipher = createCipher([encryptionKey]);
  return rows.map(({ id, content }) => openUserMail(cipher, { id, content: content ?? Buffer.alloc(0) }));
}

function secretOf(mail: UserMail | undefined): string {
  return new URL(urlOf(mail)).searchParams.get("token") ?? "";
}

function urlOf(mail: UserMail | undefined): string {
  return mail && "url" in mail ? mail.url : "";
}
