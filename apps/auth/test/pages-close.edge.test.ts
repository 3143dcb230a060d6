import { createTypeIds } from "@gateway/kernel";
import { hashApiKeySecret } from "@gateway/platform/accounts";
import { eraseClosedAccounts } from "@gateway/platform/acts/close-account";
import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import type { Browser, BrowserPage } from "./support/browser.ts";
import { createOauthClient } from "./support/oauth-client.ts";
import { textOf } from "./support/pages.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

const dayMs = 24 * 60 * 60_000;

describe("closing an account", () => {
  const pages = usePages();
  let owner: Person;
  let browser: Browser;
  let path: string;

  beforeEach(async () => {
    owner = await pages.auth.createPerson();
    await pages.auth.platform.accounts.rename({ id: owner.account.id, name: "Analytical Engines" });
    browser = pages.openBrowser();
    await pages.signIn(browser, owner);
    path = `/account/close/${owner.account.id}`;
  });

  const close = async (confirmation = "Analytical Engines"): Promise<BrowserPage> =>
    browser.fill(path, { confirmation });
  const createKey = async (): Promise<string> => {
    const { apiKeys } = pages.auth.platform.accounts;
    const key = { accountId: owner.account.id, name: "Ada's", permission: "admin", expiresAt: null } as const;
    return pages.auth.watch.note((await apiKeys.create(key)).secret);
  };
  const holderOf = (secret: string) => pages.auth.platform.accounts.apiKeys.findHolder(hashApiKeySecret(secret));
  const insertRows = async (): Promise<void> => {
    const createId = createTypeIds(pages.clock);
    await sql`
      insert into webhooks (id, account_id, url, events, status, secret, created_at)
      values (${createId("whk")}, ${owner.account.id}, 'https://example.com/in', '{wallet.created}', 'enabled', '', now())
    `.execute(pages.auth.database.kysely);
    await sql`
      insert into wallets (id, account_id, name, currency, available, pending, metadata, created_at)
      values (${createId("wal")}, ${owner.account.id}, 'Ada''s', 'EUR', 7, 0, '{"of":"Ada"}', now())
    `.execute(pages.auth.database.kysely);
  };
  const webhooksOf = async (): Promise<number> =>
    (await pages.auth.platform.events.webhooks.list({ accountId: owner.account.id, limit: 10 })).items.length;

  test("ends at once everything that opens it, for everybody in it, and tells its address", async () => {
    const { platform } = pages.auth;
    const key = await createKey();
    await insertRows();
    const member = await pages.auth.createPerson({ account: owner.account, role: "member" });
    const own = await pages.auth.createApplication(owner.account);
    const foreign = await pages.auth.createApplication((await pages.auth.createPerson()).account);
    const user = await pages.auth.createPerson();
    const [used, letIn] = [createOauthClient(pages.auth, own), createOauthClient(pages.auth, foreign)];
    const tokens = [
      { client: used, token: (await used.connect(user, { browser: pages.openBrowser() })).refresh_token },
      { client: letIn, token: (await letIn.connect(member, { browser: pages.openBrowser() })).refresh_token },
    ];
    const page = await close();
    expect(textOf(page)).toContain("The account is closed. It can no longer be opened.");
    expect(textOf(page)).toContain("You do not belong to an account.");
    expect(await holderOf(key)).toBeNull();
    for (const { client, token } of tokens) {
      expect((await client.refresh(token)).status).toBe(400);
    }
    expect(await platform.accounts.oauthApplications.findClient(own.id)).toBeNull();
    expect(await platform.accounts.oauthApplications.findClient(foreign.id)).not.toBeNull();
    expect(await webhooksOf()).toBe(0);
    expect(await platform.accounts.people.listOfUser(member.user.id)).toEqual([]);
    expect((await pages.mailsTo(owner.account.email)).map(({ kind }) => kind)).toEqual(["account_closed"]);
    expect((await browser.open(path)).status).toBe(404);
  });

  test("a key that was on its way to the database opens nothing either", async () => {
    await close();
    expect(await holderOf(await createKey())).toBeNull();
  });

  test("its address is free for another account at once", async () => {
    await close();
    const { email } = owner.account;
    const again = await pages.auth.platform.accounts.create({ email, tier: "explorer", requestsPerMinute: null });
    expect(again).not.toBeNull();
  });

  test.each(["", "analytical engines", "Analytical Engine"])(
    "%j typed in place of its name closes nothing",
    async (typed) => {
      const key = await createKey();
      const page = await close(typed);
      expect(page.status).toBe(422);
      expect(page.html).toContain('id="confirmation-fault"');
      expect(await holderOf(key)).toMatchObject({ revokedAtMs: null });
    },
  );

  test("of 3 who close it at once, all are told that it is closed, and one mail goes out", async () => {
    const form = (await browser.open(path)).forms[0];
    const values = { confirmation: "Analytical Engines" };
    const answers = await Promise.all([1, 2, 3].map(() => browser.submit(form, values)));
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true);
    expect(await pages.mailsTo(owner.account.email)).toHaveLength(1);
  });

  test("after 30 days what people wrote is erased, with users who are in no other account; what was counted stays", async () => {
    const { platform } = pages.auth;
    await createKey();
    await insertRows();
    const [accountId, metadata] = [owner.account.id, { of: "Grace" }];
    const listKeys = async () => (await platform.accounts.apiKeys.list({ accountId, limit: 10 })).items;
    const from = { address: "203.0.113.9", userAgent: "Grace's laptop" };
    const at = new Date(pages.clock.now());
    await platform.accounts.apiKeys.recordUse((await listKeys()).map(({ id }) => ({ id, at, from })));
    expect((await listKeys()).map(({ lastUsedFrom }) => lastUsedFrom)).toEqual([from]);
    const { id } = await platform.orchestra.counterparties.create({
      accountId,
      name: "Grace Hopper",
      currency: "EUR",
      accountNumber: "DE89370400440532013000",
      externalId: "Grace's",
      metadata,
    });
    await sql`
      insert into kyc_verifications (account_id, id, reference, external_id, status, checks, personal, metadata, created_at)
      values (${accountId}, 'kyc_1', 'Grace', 'Grace', 'submitted', '[]', 'sealed', ${JSON.stringify(metadata)}, now())
    `.execute(pages.auth.database.kysely);
    const books = {
      name: "Grace's books",
      currency: "EUR",
      mayBeNegative: true,
      externalId: "Grace",
      metadata,
    } as const;
    const { id: booksId } = await platform.ledger.accounts.create({ accountId, ...books });
    const elsewhere = await pages.auth.createPerson();
    await pages.auth.createPerson({ account: owner.account, role: "member", user: elsewhere });
    await close();
    pages.clock.advance(30 * dayMs - 60_000);
    await eraseClosedAccounts(platform);
    expect((await platform.accounts.get(owner.account.id))?.name).toBe("Analytical Engines");
    expect((await platform.auth.users.get(owner.user.id))?.email).toBe(owner.user.email);
    pages.clock.advance(60_000);
    await platform.audit.retention.createPartitions();
    expect(await eraseClosedAccounts(platform)).toBeGreaterThanOrEqual(1);
    expect(await eraseClosedAccounts(platform)).toBe(0);
    expect(await platform.accounts.get(owner.account.id)).toMatchObject({
      name: "Erased",
      email: `${owner.account.id}@closed.invalid`,
      tier: owner.account.tier,
    });
    expect(await listKeys()).toMatchObject([{ name: "Erased", lastUsedAt: at, lastUsedFrom: null }]);
    expect(await platform.orchestra.counterparties.get({ id, accountId })).toBeNull();
    const counterparties = pages.auth.database.kysely.selectFrom("counterparties").selectAll().where("id", "=", id);
    expect(await counterparties.execute()).toEqual([
      expect.objectContaining({
        name: null,
        account_number: null,
        account_number_last4: null,
        external_id: null,
        metadata: {},
      }),
    ]);
    const verifications = pages.auth.database.kysely.selectFrom("kyc_verifications").selectAll();
    expect(await verifications.where("account_id", "=", accountId).execute()).toEqual([
      expect.objectContaining({
        reference: "",
        external_id: null,
        metadata: {},
        personal: null,
        personal_deleted_at: expect.any(Date),
      }),
    ]);
    const { items } = await platform.ledger.wallets.list({ accountId, limit: 10 });
    expect(items).toEqual([expect.objectContaining({ name: "Erased", metadata: {}, availableMinor: 7 })]);
    const erased = { name: "Erased", externalId: null, metadata: {}, balanceMinor: 0 };
    expect(await platform.ledger.accounts.get({ id: booksId, accountId })).toMatchObject(erased);
    expect(await platform.auth.users.get(owner.user.id)).toMatchObject({
      email: `${owner.user.id}@closed.invalid`,
      name: "Erased",
      passwordHash: null,
    });
    expect(await platform.auth.users.get(elsewhere.user.id)).toMatchObject({ email: elsewhere.user.email });
    expect((await pages.signIn(pages.openBrowser(), owner)).status).toBe(422);
  });
});
