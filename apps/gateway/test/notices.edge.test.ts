import type { Account } from "@gateway/platform/accounts";
import type { Notice } from "@gateway/platform/mails";
import { createTestClock } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { atOnce, dataOf } from "./support/answers.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import type { Answer } from "./support/http-client.ts";
import { mailsTo } from "./support/mails.ts";
import { joinAs } from "./support/people-client.ts";
import { bearer, createTestGrant, mintToken } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const keys = "/api/v1/api-keys";
const applications = "/api/v1/oauth-applications";
const hourMs = 3_600_000;
const freshClient = createFreshClients();

let account: Account;
let admin: { id: string; secret: string };

const clock = createTestClock(Date.UTC(2026, 2, 9, 12));
const issuer = useIssuer();
const gateway = useGateway({ clock, issuer, env: behindProxy });
beforeEach(async () => {
  clock.set(Date.UTC(2026, 2, 9, 12));
  account = await gateway.createAccount();
  admin = await gateway.createKey(account, "admin");
});

type Change = { method?: string; target: string; body?: object; headers?: Record<string, string> };

const change = ({ method = "POST", headers, ...rest }: Change): Promise<Answer> =>
  gateway.call({ method, ...rest, headers: { ...freshClient(), ...(headers ?? { "X-API-Key": admin.secret }) } });
const createKey = (permission: string, headers?: Record<string, string>): Promise<Answer> =>
  change({ target: keys, body: { name: "A", permission }, ...(headers && { headers }) });
const register = (redirectUris: string[]): Promise<Answer> =>
  change({ target: applications, body: { name: "A", redirectUris, scopes: ["read"] } });

async function noticesTo(email: string): Promise<(Notice & { isLast: boolean })[]> {
  return (await mailsTo(gateway, email)).flatMap((mail) => ("isLast" in mail ? mail : []));
}

/** The user's address is confirmed. The address of the invitation is not. */
async function joinAsOwner(email: string): Promise<void> {
  const invite = { accountId: account.id, email: `invited-${email}`, role: "owner" } as const;
  const person = await gateway.platform.transaction(({ accounts }) => accounts.people.invite(invite));
  await joinAs(gateway, person.id, email);
}

describe("a new admin key", () => {
  test("is told to every owner, with who made it and from where, and without its secret; others are told nothing", async () => {
    const [one, two, member] = [
      `one-${account.id}@example.com`,
      `two-${account.id}@example.com`,
      `member-${account.id}@example.com`,
    ];
    await joinAsOwner(one);
    await joinAsOwner(two);
    await createTestGrant(gateway, account, { role: "member" });
    const made = dataOf<{ id: string; hint: string; secret: string }>(
      await createKey("admin", { "X-API-Key": admin.secret, "X-Forwarded-For": "203.0.113.9" }),
      201,
    );
    for (const email of [one, two]) {
      const notices = await noticesTo(email);
      const about = { accountEmail: account.email, apiKeyId: made.id, hint: made.hint };
      const by = { by: `the API key ${admin.id}`, clientAddress: "203.0.113.9" };
      expect(notices).toEqual([{ kind: "admin_key_created", ...about, ...by, isLast: false }]);
      expect(JSON.stringify(notices)).not.toContain(made.secret);
    }
    expect([await noticesTo(account.email), await noticesTo(member)]).toEqual([[], []]);
  });

  test("of an account without an owner is told at the account's address, also when it comes of rolling", async () => {
    await inviteAnOwner();
    dataOf(await change({ target: `${keys}/${admin.id}/roll`, body: { overlapSeconds: 3600 } }), 201);
    expect(await noticesTo(account.email)).toMatchObject([
      { kind: "admin_key_created", by: `the API key ${admin.id}` },
    ]);
  });

  test("made with a token names the person and the application", async () => {
    const grant = await createTestGrant(gateway, account, { role: "owner" });
    dataOf(await createKey("admin", bearer(await mintToken(issuer, grant, { nowMs: clock.now() }))), 201);
    const person = await gateway.platform.accounts.people.get({ id: grant.personId, accountId: account.id });
    const user = await gateway.platform.auth.users.get(grant.userId);
    expect(await noticesTo(user?.email ?? "")).toMatchObject([
      { by: `${person?.email}, through the application ${grant.applicationId}` },
    ]);
  });

  test("is in the transaction of its mail: what is refused or may do less tells nobody", async () => {
    dataOf(await createKey("write"), 201);
    const past = await change({
      target: keys,
      body: { name: "A", permission: "admin", expiresAt: "2020-01-01T00:00:00Z" },
    });
    expect(past.status).toBe(400);
    expect(await noticesTo(account.email)).toEqual([]);
  });
});

describe("a redirect URI", () => {
  test("is told by its host when it is new, with a new application or later; one that stays or goes is not", async () => {
    const { id } = dataOf<{ id: string }>(
      await register(["https://app.example.com/cb", "https://app.example.com/b"]),
      201,
    );
    const update = async (body: object): Promise<void> => {
      dataOf(await change({ method: "PATCH", target: `${applications}/${id}`, body }));
    };
    await update({ name: "B" });
    await update({ redirectUris: ["https://app.example.com/cb", "https://evil.example/your-account-is-at-risk"] });
    await update({ redirectUris: ["https://app.example.com/cb"] });
    const told = {
      kind: "redirect_uri_added",
      applicationId: id,
      by: `the API key ${admin.id}`,
      accountEmail: account.email,
    };
    const notices = await noticesTo(account.email);
    expect(notices).toMatchObject([
      { ...told, hosts: ["app.example.com"] },
      { ...told, hosts: ["evil.example"] },
    ]);
    expect(JSON.stringify(notices)).not.toContain("at-risk");
  });
});

describe("what decides who lets money out", () => {
  const rule = { currency: "any", minimumAmount: 0, destination: "any", action: "block" };
  const address = "0x52908400098527886E0F7030069857D2E4169EE7";
  const entry = { network: "ethereum", address, name: "Cold" };
  let headers: Record<string, string>;
  beforeEach(async () => {
    const grant = await createTestGrant(gateway, account, { isConsole: true });
    const claims = { auth_time: clock.now() / 1000 };
    headers = bearer(await mintToken(issuer, grant, { nowMs: clock.now(), claims }));
  });
  const createPerson = async (role: "owner" | "member"): Promise<string> =>
    (await createTestGrant(gateway, account, { role })).personId;
  const createEntry = async (): Promise<string> =>
    dataOf<{ id: string }>(await change({ target: "/api/v1/address-book", body: entry, headers }), 201).id;

  const policy = () => ({ method: "PUT", target: "/api/v1/transfer-policy", body: { rules: [rule] }, headers });
  const added = () => ({ target: "/api/v1/address-book", body: entry, headers });
  const removed = (id: string) => ({ method: "DELETE", target: `/api/v1/address-book/${id}` });
  const become = (role: string) => (id: string) => ({
    method: "PATCH",
    target: `/api/v1/people/${id}`,
    body: { role },
  });
  const ended = (id: string) => ({ method: "DELETE", target: `/api/v1/people/${id}` });
  const ofBook = (change: string, more: object) => ({ kind: "address_book_changed", change, ...more });
  const ofOwners = (change: string) => ({ kind: "owners_changed", change });
  const anyAddress = expect.stringMatching(new RegExp(address, "i"));

  test.each<[string, () => Promise<string>, (id: string) => Change, object]>([
    ["another policy", async () => "", policy, { kind: "transfer_policy_changed" }],
    ["a new address of the book", async () => "", added, ofBook("added", { address: anyAddress })],
    [
      "an address taken out of it",
      createEntry,
      removed,
      ofBook("removed", { entryId: expect.stringMatching(/^adb_/) }),
    ],
    ["a new owner", () => createPerson("member"), become("owner"), ofOwners("made")],
    ["an owner who is one no more", () => createPerson("owner"), become("member"), ofOwners("ended")],
    ["an owner who is removed", () => createPerson("owner"), ended, ofOwners("ended")],
  ])("%s is told to every owner, once", async (_name, prepare, ask, told) => {
    const [ada, grace] = [`ada@${account.id}.example.com`, `grace@${account.id}.example.com`];
    await joinAsOwner(ada);
    await joinAsOwner(grace);
    const id = await prepare();
    const { length: before } = await noticesTo(ada);
    expect((await change(ask(id))).status).toBeLessThan(300);
    for (const email of [ada, grace]) {
      expect((await noticesTo(email)).slice(before)).toMatchObject([{ ...told, accountEmail: account.email }]);
    }
  });
});

describe("however often it happens", () => {
  test("an address gets five of a kind in an hour, also of twenty at once; the fifth says so, and an hour later it goes on", async () => {
    const answers = await atOnce(20, () => createKey("admin"));
    // A request that waited too long for the others is refused, and succeeds when sent again.
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(5);
    expect((await noticesTo(account.email)).map(({ isLast }) => isLast)).toEqual([false, false, false, false, true]);
    dataOf(await register(["https://app.example.com/cb"]), 201);
    expect(await noticesTo(account.email)).toHaveLength(6);
    clock.advance(hourMs - 1);
    dataOf(await createKey("admin"), 201);
    expect(await noticesTo(account.email)).toHaveLength(6);
    clock.advance(1);
    dataOf(await createKey("admin"), 201);
    expect(await noticesTo(account.email)).toHaveLength(7);
  });
});

/** An invited owner does not count as an owner yet. */
async function inviteAnOwner(): Promise<void> {
  const invite = { accountId: account.id, email: `waiting-${account.id}@example.com`, role: "owner" } as const;
  await gateway.platform.transaction(({ accounts }) => accounts.people.invite(invite));
}
