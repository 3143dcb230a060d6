import { createTypeIds } from "@gateway/kernel";
import { hashApiKeySecret } from "@gateway/platform/accounts";
import { createRequestLogWriters, packRequests } from "@gateway/platform/request-log";
import { useAll } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { textOf } from "./support/pages.ts";
import type { Browser } from "./support/browser.ts";
import { usePages } from "./support/use-pages.ts";

type Export = Record<string, { id: string }[]> & { account: object };

describe("the data of an account", () => {
  const pages = usePages();
  const owner = useAll(() => pages.auth.createPerson());
  let browser: Browser;
  let path: string;

  beforeAll(async () => {
    browser = pages.openBrowser();
    await pages.signIn(browser, owner);
    path = `/account/export/${owner.account.id}`;
  });

  const insertWallets = async (accountId: string, count: number): Promise<void> => {
    const createId = createTypeIds(pages.clock);
    const ids = Array.from({ length: count }, () => createId("wal"));
    await sql`
      insert into wallets (id, account_id, name, currency, available, pending, metadata, created_at)
      select id, ${accountId}, 'Payroll', 'EUR', 0, 0, '{}', now() from unnest(${ids}::text[]) as made (id)
    `.execute(pages.auth.database.kysely);
  };

  /** Posts a ledger transaction between two of the account's own ledger accounts. */
  const bookByHand = async (accountId: string): Promise<void> => {
    const { accounts, transactions } = pages.auth.platform.ledger;
    const own = {
      accountId,
      name: "Books",
      currency: "EUR",
      mayBeNegative: true,
      externalId: null,
      metadata: {},
    } as const;
    const [from, to] = [await accounts.create(own), await accounts.create(own)];
    const entries = [
      { ledgerAccountId: from.id, direction: "debit", amountMinor: 1 },
      { ledgerAccountId: to.id, direction: "credit", amountMinor: 1 },
    ] as const;
    await transactions.create({ accountId, entries: [...entries], description: null, externalId: null, metadata: {} });
  };

  /** Logs the given number of requests for each account, like a gateway. */
  const logRequests = async (counts: ReadonlyMap<string, number>): Promise<void> => {
    const createId = createTypeIds(pages.clock);
    const nowMs = pages.clock.now();
    const requests = [...counts].flatMap(([accountId, count]) =>
      Array.from({ length: count }, () => ({
        ...{ id: createId("req"), accountId, method: "GET", path: "/api/v1/wallets", query: "limit=20" },
        ...{ operationId: "listWallets", status: 200, code: null, durationMs: 1.5, source: "api" as const },
        ...{ caller: { kind: "apiKey" as const, id: createId("key"), personId: null }, details: null, rateLimit: null },
        ...{ isReplayed: false, isAnswered: true, requestBytes: 0, responseBytes: 312, userAgent: "curl/8" },
      })),
    );
    const writers = createRequestLogWriters(pages.auth.database.kysely, pages);
    await pages.auth.platform.requestLog.retention.createPartitions();
    await writers.write({
      ...{ writerId: writers.createWriterId(), number: 1, takenAtMs: nowMs, completeBeforeMs: nowMs, lost: [] },
      requests: packRequests(requests),
    });
  };

  test("is one JSON text of everything the account owns, as the API shows it, without secrets and without others' things", async () => {
    const { platform } = pages.auth;
    const accountId = owner.account.id;
    const key = await platform.accounts.apiKeys.create({ accountId, name: "A", permission: "read", expiresAt: null });
    await pages.auth.createApplication(owner.account, { name: "Ledger viewer" });
    const stranger = await pages.auth.createPerson();
    await insertWallets(accountId, 120);
    await insertWallets(stranger.account.id, 3);
    await sql`
      insert into webhooks (id, account_id, url, events, status, secret, created_at)
      values (${createTypeIds(pages.clock)("whk")}, ${accountId}, 'https://example.com/in', '{wallet.created}', 'enabled', 'sealed', now())
    `.execute(pages.auth.database.kysely);
    const counterparty = { name: "Grace Hopper", currency: "EUR", accountNumber: "DE89370400440532013000" } as const;
    await platform.orchestra.counterparties.create({ accountId, ...counterparty });
    await sql`
      insert into kyc_verifications (account_id, id, reference, status, checks, personal, metadata, created_at)
      values (${accountId}, ${createTypeIds(pages.clock)("kyc")}, 'customer-1', 'submitted', '[]', 'sealed', '{}', now())
    `.execute(pages.auth.database.kysely);
    await platform.custody.addressBook.create({
      accountId,
      network: "ethereum",
      address: "0x52908400098527886e0f7030069857d2e4169ee7",
      name: "Supplier",
    });
    await bookByHand(accountId);
    await logRequests(
      new Map([
        [accountId, 120],
        [stranger.account.id, 3],
      ]),
    );
    const { status, headers, html } = await browser.open(path);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toContain("application/json");
    expect(headers.get("Content-Disposition")).toBe(`attachment; filename=${accountId}.json`);
    expect(headers.get("Cache-Control")).toBe("no-store");
    const data = JSON.parse(html) as Export;
    expect(data.account).toMatchObject({ id: accountId, name: owner.account.name });
    expect(Object.entries(data).flatMap(([name, list]) => (Array.isArray(list) ? [[name, list.length]] : []))).toEqual([
      ["people", 1],
      ["apiKeys", 1],
      ["oauthApplications", 1],
      ["wallets", 120],
      // Three of each wallet, the clearing accounts of their currency, and two of its own.
      ["ledgerAccounts", 3 * 120 + 5 + 2],
      ["ledgerTransactions", 1],
      ["counterparties", 1],
      ["kycVerifications", 1],
      ["payments", 0],
      ["depositAddresses", 0],
      ["deposits", 0],
      ["transfers", 0],
      ["approvals", 0],
      ["addressBook", 1],
      ["orders", 0],
      ["fills", 0],
      ["valuations", 0],
      ["webhooks", 1],
      ["events", 0],
      ["deliveries", 0],
      ["requestLogs", 120],
    ]);
    expect(new Set(data["wallets"]?.map(({ id }) => id)).size).toBe(120);
    expect(new Set(data["requestLogs"]?.map(({ id }) => id)).size).toBe(120);
    expect(data["requestLogs"]?.[0]).toMatchObject({
      operationId: "listWallets",
      query: "limit=20",
      userAgent: "curl/8",
    });
    expect(data["people"]).toEqual([expect.objectContaining({ email: owner.user.email, role: "owner" })]);
    expect(data["counterparties"]).toEqual([
      expect.objectContaining({ name: "Grace Hopper", accountNumberLast4: "3000" }),
    ]);
    for (const secret of [
      counterparty.accountNumber,
      key.secret,
      hashApiKeySecret(key.secret).toString("hex"),
      "sealed",
      owner.password,
    ]) {
      expect(html).not.toContain(secret);
    }
    // A ledger transaction has its own hash in the chain.
    expect(html.replaceAll('"hash":', "")).not.toMatch(/"secret"|hash/i);
  });

  test("is downloaded five times in an hour, whoever of its owners does, and no more", async () => {
    const person = await pages.auth.createPerson();
    const again = pages.openBrowser();
    await pages.signIn(again, person);
    const target = `/account/export/${person.account.id}`;
    const statuses = [];
    for (let number = 1; number <= 6; number += 1) {
      statuses.push((await again.open(target)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = await again.open(target);
    expect(refused.headers.get("Retry-After")).toMatch(/^\d+$/);
    expect(textOf(refused)).toContain("Wait 60 minutes");
    expect((await browser.open(path)).status).toBe(200);
  });
});
