import type { Schemas } from "@gateway/contract";
import { createTestClock, digestDatabase, useEach } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { atOnce, countCodes, dataOf, refused } from "./support/answers.ts";
import { type ApiClient, createApiClient } from "./support/api-client.ts";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import type { Answer } from "./support/http-client.ts";
import { mailsTo, secretOf } from "./support/mails.ts";
import { freshAddress, joinAs } from "./support/people-client.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const dayMs = 86_400_000;
const noonMs = Date.UTC(2026, 2, 9, 12);

const clock = createTestClock(noonMs);
const issuer = useIssuer();
const gateway = useGateway({ clock, issuer });
beforeEach(() => clock.set(noonMs));
const client = useEach(() => createApiClient(gateway));

const update = (body: object, by: ApiClient = client): Promise<Answer> => by.call("PATCH", "/account", body);
const asked = async (email: string, by?: ApiClient): Promise<Schemas["Account"]> => dataOf(await update({ email }, by));
const read = (): Promise<Schemas["Account"]> => client.get("/account");
const mails = (email: string) => mailsTo(gateway, email);
/** The account without the state of its limit, which only a read returns. */
const readStored = async (): Promise<Schemas["Account"]> => {
  const { rateLimit, ...account } = await read();
  return { ...account, rateLimit: { requestsPerMinute: rateLimit.requestsPerMinute } };
};

describe("another address of the account", () => {
  test("waits for 24 hours, and the one before holds meanwhile", async () => {
    const email = freshAddress();
    const account = await asked(email);
    expect(account).toMatchObject({ email: client.account.email, pendingEmail: email });
    expect(await readStored()).toEqual(account);
    clock.advance(dayMs - 1);
    expect((await read()).pendingEmail).toBe(email);
    clock.advance(1);
    expect(await read()).toMatchObject({ email: client.account.email, pendingEmail: null });
  });

  test("is mailed a link to a page of the identity provider, whose secret is nowhere else", async () => {
    const email = freshAddress();
    await asked(email);
    const [mail, ...others] = await mails(email);
    expect(others).toEqual([]);
    expect(mail).toEqual({
      kind: "account_email",
      url: expect.stringContaining(`${issuer.authProvider.authUrl}/account-email/confirm?token=`),
      accountEmail: client.account.email,
    });
    const secret = secretOf(mail);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(holdsText(await dumpDatabase(gateway.database), secret)).toBe(false);
    const link = { email, accountId: client.account.id };
    expect(await gateway.platform.auth.mailLinks.find(secret, "account_email")).toMatchObject(link);
  });

  test("is told to the owners, and to the address that holds, once each", async () => {
    const [owner, email] = [freshAddress(), freshAddress()];
    const invite = { accountId: client.account.id, email: owner, role: "owner" } as const;
    const person = await gateway.platform.transaction(({ accounts }) => accounts.people.invite(invite));
    await joinAs(gateway, person.id, owner);
    await asked(email);
    const told = {
      ...{ kind: "account_email_changed", change: "asked", accountEmail: client.account.email, newEmail: email },
      ...{ by: `the API key ${client.keyId}`, clientAddress: expect.any(String), isLast: false },
    };
    expect(await mails(owner)).toEqual([told]);
    expect(await mails(client.account.email)).toEqual([told]);
  });

  test("asked for again, in whatever letter case, changes and mails nothing", async () => {
    const email = freshAddress();
    await asked(email);
    const before = await digestDatabase(gateway.database);
    expect((await asked(email.toUpperCase())).pendingEmail).toBe(email);
    expect(await digestDatabase(gateway.database)).toEqual(before);
  });

  test("asked for at the same moment several times is one link", async () => {
    const email = freshAddress();
    expect(countCodes(await atOnce(6, () => update({ email })))).toEqual({ 200: 6 });
    expect(await mails(email)).toHaveLength(1);
  });

  test("ends the link of the one that was asked for before, also when that one is asked for again", async () => {
    const [first, second] = [freshAddress(), freshAddress()];
    const secrets = [];
    for (const email of [first, second, first]) {
      await asked(email);
      secrets.push(secretOf((await mails(email)).at(-1)));
    }
    const { mailLinks } = gateway.platform.auth;
    const found = await Promise.all(secrets.map((secret) => mailLinks.find(secret, "account_email")));
    expect(found.map((link) => link?.email ?? null)).toEqual([null, null, first]);
    expect((await read()).pendingEmail).toBe(first);
  });

  test("waits no more once the present one is asked for, and its link leads nowhere", async () => {
    const email = freshAddress();
    await asked(email);
    expect((await asked(client.account.email.toUpperCase())).pendingEmail).toBeNull();
    const secret = secretOf((await mails(email))[0]);
    expect(await gateway.platform.auth.mailLinks.find(secret, "account_email")).toBeNull();
    expect((await read()).email).toBe(client.account.email);
  });

  test("goes with another name in one audit event", async () => {
    const email = freshAddress();
    dataOf(await update({ name: "Acme", email }));
    const events = await client.get<Schemas["AuditEvent"][]>("/audit-events?type=account.updated");
    expect(events.map(({ changes }) => changes.toSorted((a, b) => a.field.localeCompare(b.field)))).toEqual([
      [
        { field: "name", before: client.account.email, after: "Acme" },
        { field: "pendingEmail", before: null, after: email },
      ],
    ]);
  });

  test("that another account has gets the very same answer: nobody learns whose it is", async () => {
    const taken = (await createApiClient(gateway)).account.email;
    expect(await asked(taken)).toEqual({ ...(await readStored()), pendingEmail: taken });
    expect((await mails(taken)).map(({ kind }) => kind)).toEqual(["account_email"]);
  });

  test("goes to one address five times in 24 hours, whoever asks; then nothing is done", async () => {
    const email = freshAddress();
    const others = [client, await createApiClient(gateway)];
    for (let sent = 0; sent < 5; sent += 1) {
      const by = others[sent % 2] ?? client;
      await asked(email, by);
      await asked(by.account.email, by);
    }
    const before = await digestDatabase(gateway.database);
    for (const by of others) {
      expect(await update({ email }, by)).toMatchObject(refused("RATE_LIMITED"));
    }
    expect(await digestDatabase(gateway.database)).toEqual(before);
  });

  test("is asked for ten times in 24 hours out of one account; the name still changes then", async () => {
    for (let sent = 0; sent < 10; sent += 1) {
      await asked(freshAddress());
    }
    const { pendingEmail } = await read();
    expect((await update({ name: "Acme", email: freshAddress() })).status).toBe(429);
    expect(await read()).toMatchObject({ name: client.account.email, pendingEmail });
    expect((await update({ name: "Acme" })).status).toBe(200);
  });

  test("is 503 where there is no identity provider to confirm it at, and a name is not", async () => {
    const alone = await startTestGateway({ databaseUrl: gateway.databaseUrl });
    const other = await createApiClient(alone, "admin", client.account);
    const before = await digestDatabase(gateway.database);
    expect(await update({ email: freshAddress() }, other)).toMatchObject(refused("UNAVAILABLE"));
    expect(await digestDatabase(gateway.database)).toEqual(before);
    expect((await update({ name: "Acme" }, other)).status).toBe(200);
    await alone.stop();
  });
});

const rename = (name: string) => client.ask("PATCH", "/account", { name });

describe("the name of an account", () => {
  test("is its address until it is given one, and nothing else of it changes then", async () => {
    // Only a read returns how much of the limit is used.
    const { rateLimit, ...before } = await read();
    expect(before.name).toBe(client.account.email);
    expect(rateLimit).toEqual({ requestsPerMinute: 1_000_000, used: expect.any(Number), resetsAt: expect.any(String) });
    const name = "Bücher & Söhne 📚";
    expect(await rename(name)).toEqual({ ...before, name, rateLimit: { requestsPerMinute: 1_000_000 } });
    expect((await read()).name).toBe(name);
  });

  test("may be the same as another's: it tells nobody apart", async () => {
    const other = await gateway.createAccount();
    await gateway.platform.accounts.rename({ id: other.id, name: "Acme" });
    expect(await rename("Acme")).toMatchObject({ name: "Acme" });
  });
});
