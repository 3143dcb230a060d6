import { createTestClock, digestDatabase, useEach } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { atOnce, countCodes, dataOf, invalid, refused } from "./support/answers.ts";
import { createApiClient } from "./support/api-client.ts";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import { mailsTo, secretOf } from "./support/mails.ts";
import { createPeopleClient, freshAddress, joinAs } from "./support/people-client.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const noon = "2026-03-09T12:00:00.000Z";
const day = 86_400_000;

const clock = createTestClock(Date.parse(noon));
const issuer = useIssuer();
const gateway = useGateway({ clock, issuer });
beforeEach(() => clock.set(Date.parse(noon)));
const client = useEach(() => createPeopleClient(gateway));

describe("an invitation", () => {
  test("is a person without a name who has not joined, alone and in the list", async () => {
    const person = await client.invited("Grace@Example.com", "viewer");
    expect(person).toEqual({
      ...{ id: expect.stringMatching(/^per_/), email: "Grace@Example.com", name: null, role: "viewer" },
      ...{ status: "invited", invitedAt: noon, joinedAt: null, lastSeenAt: null },
      createdBy: { type: "apiKey", id: client.keyId, applicationId: null },
    });
    expect(dataOf(await client.read(person.id))).toEqual(person);
    expect(await client.listed()).toEqual([person]);
  });

  test("is mailed with a link that leads to this person once, for seven days, and is nowhere else", async () => {
    const email = freshAddress();
    const person = await client.invited(email, "owner");
    const [mail, ...others] = await mailsTo(gateway, email);
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
    const link = { purpose: "invitation", email, personId: person.id, userId: null, accountId: null };
    expect(await mailLinks.find(secret, "invitation")).toEqual(link);
    clock.advance(1);
    expect(await mailLinks.find(secret, "invitation")).toBeNull();
  });

  test("of an address that a person has is refused in any letter case, invited or joined, and sends no mail", async () => {
    const person = await client.invited("ada.lovelace@example.com");
    const before = await digestDatabase(gateway.database);
    expect(await client.invite("Ada.Lovelace@EXAMPLE.com")).toMatchObject(refused("PERSON_EXISTS"));
    expect(await digestDatabase(gateway.database)).toEqual(before);
    await joinAs(gateway, person.id, "ada.lovelace@example.com");
    expect(await client.invite("ada.lovelace@example.com")).toMatchObject(refused("PERSON_EXISTS"));
  });

  test("of one address, sent several times at once, is one person", async () => {
    const email = freshAddress();
    expect(countCodes(await atOnce(6, () => client.invite(email)))).toEqual({ 201: 1, PERSON_EXISTS: 5 });
    expect(await mailsTo(gateway, email)).toHaveLength(1);
  });

  test("may be sent again once the person is removed, and the first link leads nowhere", async () => {
    const email = freshAddress();
    const first = await client.invited(email);
    const [firstMail] = await mailsTo(gateway, email);
    dataOf(await client.remove(first.id));
    const second = await client.invited(email);
    expect(second.id).not.toBe(first.id);
    const { mailLinks } = gateway.platform.auth;
    expect(await mailLinks.use(secretOf(firstMail), "invitation")).toBeNull();
    const [secondMail] = (await mailsTo(gateway, email)).toReversed();
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
      expect(answer).toMatchObject(refused("RATE_LIMITED"));
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
    expect(await client.invite(freshAddress())).toMatchObject(refused("RATE_LIMITED"));
    await (await createPeopleClient(gateway)).invited();
  });

  test("is refused when the account has 200 people, also at once; a removed one makes room", async () => {
    const accountId = client.account.id;
    const { accounts, transaction } = gateway.platform;
    const invite = (email: string) =>
      transaction((services) => services.accounts.people.invite({ accountId, email, role: "viewer" }));
    const { id } = await invite("person-0@example.com");
    for (let index = 1; index < 198; index += 1) {
      await invite(`person-${index}@example.com`);
    }
    const raced = await atOnce(5, () => client.invite(freshAddress()));
    expect(countCodes(raced)).toEqual({ 201: 2, PERSON_LIMIT_REACHED: 3 });
    const first = await accounts.people.list({ accountId, limit: 100 });
    const second = await accounts.people.list({ accountId, limit: 100, cursor: first.nextCursor ?? "" });
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([100, 100, null]);
    dataOf(await client.remove(id));
    await client.invited();
    expect(await client.invite(freshAddress())).toMatchObject(refused("PERSON_LIMIT_REACHED"));
  });

  test("is refused with 503 where there is no identity provider to accept it at, and nothing is stored", async () => {
    const alone = await startTestGateway({ databaseUrl: gateway.databaseUrl });
    const { call } = await createApiClient(alone, "admin", client.account);
    const before = await digestDatabase(gateway.database);
    const answer = await call("POST", "/people", { email: freshAddress(), role: "viewer" });
    expect(answer).toMatchObject(refused("UNAVAILABLE"));
    expect(await digestDatabase(gateway.database)).toEqual(before);
    await alone.stop();
  });

  test.each([
    ...["", "a", "@", "a@b", "a@localhost", "a@127.0.0.1", "a@b..co", "a@.co", "a@b.co.", "a@-b.co", "a@b-.co"],
    ...["a b@example.com", "a@b@example.com", "Ada <ada@example.com>", "ada@example.com\r\nBcc: eve@example.com"],
    ...["ada@example.com,eve@example.com", '"a b"@example.com', "büro@example.com", "a@bücher.example"],
    ...[`${"a".repeat(65)}@example.com`, `a@${"b".repeat(64)}.com`, `a@${"b.".repeat(126)}com`, "a\0@example.com"],
  ])("of %j is refused, and the field named", async (email) => {
    expect(await client.invite(email)).toMatchObject(invalid("email"));
  });
});

test("an identity provider that cannot be reached keeps nobody from being invited", async () => {
  const authProvider = {
    ...{ authUrl: "https://auth.example.com", apiUrl: "https://api.example.com" },
    jwksUrl: "http://127.0.0.1:9/api/v1/jwks",
  };
  const other = await startTestGateway({ databaseUrl: gateway.databaseUrl, issuer: { authProvider } });
  const email = freshAddress();
  const { ask } = await createApiClient(other, "admin", client.account);
  await ask("POST", "/people", { email, role: "viewer" });
  const url = expect.stringMatching(/^https:\/\/auth\.example\.com\/invitations\/accept\?token=/);
  expect(await mailsTo(gateway, email)).toMatchObject([{ url }]);
  await other.stop();
});
