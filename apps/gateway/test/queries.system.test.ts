import { maxOauthApplicationsOfAccount, type Account } from "@gateway/platform/accounts";
import { maxWebhooksOfAccount } from "@gateway/platform/events";
import { runStatement, words } from "@gateway/testkit";
import { beforeAll, describe, expect, test } from "vitest";
import { invalid } from "./support/answers.ts";
import { fillMoney } from "./support/fill-money.ts";
import type { Answer } from "./support/http-client.ts";
import { allOperations } from "./support/document-request.ts";
import { logRequests } from "./support/samples/request-log.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { useGateway } from "./support/use-gateway.ts";

// Networks and market data are the same for all accounts, and are not created one after the other.
const lists = allOperations.filter(
  ({ operationId, service }) =>
    operationId.startsWith("list") &&
    !["listNetworks", "listPositions"].includes(operationId) &&
    !["market-data", "oracle"].includes(service),
);
/**
 * Resources that `fill` makes for each list. One more key is the caller's, and three more wallets receive the deposits.
 */
const filled = 101;
const sizes = new Map([
  ["listApiKeys", filled + 1],
  ["listWallets", filled + 3],
  ["listCounterparties", filled + 1],
  // Events of the wallets, and of the webhook tests.
  ["listEvents", 2 * filled + 3],
  // Three of each wallet, the clearing accounts of their four currencies, and two of the customer's own.
  ["listLedgerAccounts", 3 * (filled + 3) + 4 * 5 + 2],
  ["listLedgerEntries", 2 * filled],
  // Each created resource, webhook tests included, the account, its key, two ledger accounts, and the parents of other
  // rows.
  ["listAuditEvents", 6 * filled + maxOauthApplicationsOfAccount + maxWebhooksOfAccount + 8],
  ["listOauthApplications", maxOauthApplicationsOfAccount],
  ["listWebhooks", maxWebhooksOfAccount],
]);
const ownAccount = { currency: "EUR", mayBeNegative: true, externalId: null, metadata: {} } as const;
const counterparty = { name: "C", currency: "EUR", accountNumber: "DE89370400440532013000" } as const;
const application = { name: "A", redirectUris: ["https://app.example.com/"], scopes: ["read"] } as const;
const webhook = { url: "https://hooks.example.com", events: ["payment.settled"], description: null } as const;
/** An entry has no id of its own, but that of its ledger transaction and ledger account. */
type Item = { id: string } | { id?: undefined; ledgerTransactionId: string; ledgerAccountId: string };
type Page = { data: Item[]; meta: { hasMore: boolean; nextCursor: string | null } };

let account: Account;
let key: string;
let strangerKey: string;

// Ledger transactions are sealed here, one at a time, instead of by the gateway.
const gateway = useGateway({ keepsStill: true });
beforeAll(async () => {
  account = await gateway.createAccount();
  key = (await gateway.createKey(account, "admin")).secret;
  const stranger = await gateway.createAccount();
  strangerKey = (await gateway.createKey(stranger, "admin")).secret;
  await fill(account);
  await fill(stranger);
});

const fill = async ({ id: accountId }: Account): Promise<void> => {
  await gateway.platform.inAccount(accountId, async ({ ledger, accounts, events, orchestra }) => {
    let webhookId = "";
    const [from = "", to = ""] = await Promise.all(
      ["A", "B"].map(async (name) => (await ledger.accounts.create({ accountId, name, ...ownAccount })).id),
    );
    for (let index = 0; index < filled; index += 1) {
      await ledger.wallets.create({ accountId, name: `W${index}`, currency: "EUR", metadata: {} });
      await orchestra.counterparties.create({ accountId, ...counterparty });
      await ledger.transactions.create({
        accountId,
        entries: [
          { ledgerAccountId: from, direction: "debit", amountMinor: 1 },
          { ledgerAccountId: to, direction: "credit", amountMinor: 1 },
        ],
        description: null,
        externalId: null,
        metadata: {},
      });
      await ledger.seals.seal(accountId);
      await accounts.apiKeys.create({ accountId, name: `K${index}`, permission: "read", expiresAt: null });
      await accounts.people.invite({ accountId, email: `person-${index}@example.com`, role: "viewer" });
      if (index < maxOauthApplicationsOfAccount) {
        await accounts.oauthApplications.create({ accountId, ...application });
      }
      webhookId =
        index < maxWebhooksOfAccount ? (await events.webhooks.create({ accountId, ...webhook })).id : webhookId;
      // Makes an event and a delivery.
      await events.deliveries.sendTest({ webhookId, accountId, type: "wallet.created" });
    }
  });
  await fillMoney(gateway, { accountId, count: filled });
  await logRequests({ platform: gateway.platform, accountId }, filled);
};

const cursorOf = async (target: string, own: string): Promise<string> => {
  const { meta } = (await gateway.call({ target: `${target}?limit=2`, key: own })).json as Page;
  return String(meta.nextCursor);
};

/**
 * The first list is in the order of ids, the second has items without an id, and the third reads partitions by time.
 */
const kinds = lists.filter(({ operationId }) =>
  ["listWallets", "listLedgerEntries", "listRequestLogs"].includes(operationId),
);

/** `request-properties.test.ts` checks each parameter, cursor.test.ts of the kernel each bit of a cursor. */
test.each(words`limit=1&%6cimit=2 limit limit=05 limit=+5 limit=%205 limit=5%00 limit=%zz limit=%D9%A5 limit=1e1`)(
  "?%s is refused",
  async (query) => {
    expect(await gateway.call({ target: `/api/v1/wallets?${query}`, key })).toMatchObject(invalid("limit"));
  },
);

describe.each(kinds)("a cursor of $path", ({ path }) => {
  const refused = invalid("cursor");
  const list = (query: string): Promise<Answer> => gateway.call({ target: `${path}?${query}`, key });
  let cursor: string;

  beforeAll(async () => {
    cursor = await cursorOf(path, key);
  });

  test("truncated anywhere, or with a character more, is refused", async () => {
    await expectRefused([
      ...Array.from({ length: cursor.length }, (_, length) => cursor.slice(0, length)),
      ...Array.from({ length: cursor.length - 1 }, (_, at) => cursor.slice(at + 1)),
      ...["A", "=", "==", " ", "\n", "\0", "%00"].flatMap((extra) => [cursor + extra, extra + cursor]),
    ]);
  });

  test("of 10 kB, of binary, of half surrogates, or sent twice is refused", async () => {
    await expectRefused(["A".repeat(10_000), cursor.repeat(200), "\u0000", "é", "💥"]);
    for (const raw of ["%FF%FE", "%ED%A0%80", "%C0%80", "%", cursor + "&cursor=" + cursor]) {
      expect(await list(`cursor=${raw}`)).toMatchObject(refused);
    }
  });

  test("of another deployment is refused, for its keys differ", async () => {
    // Lets the copy start with these keys and accounts.
    await runStatement(gateway.databaseUrl, "update deployment set sealed_probe = null");
    const copy = await startTestGateway({
      logsNothing: true,
      databaseUrl: gateway.databaseUrl,
      env: { ENCRYPTION_KEYS: Buffer.from("an other key of thirty-two bytes").toString("base64") },
    });
    const answer = await copy.call({ target: `${path}?cursor=${cursor}`, key });
    await copy.stop();
    expect(answer).toMatchObject(refused);
  });

  async function expectRefused(cursors: readonly string[]): Promise<void> {
    const accepted: string[] = [];
    for (const altered of cursors) {
      const answer = await list(`cursor=${encodeURIComponent(altered)}`);
      if (answer.status !== 400 || !answer.text.includes('"field":"cursor"')) {
        accepted.push(altered);
      }
    }
    expect(accepted).toEqual([]);
  }
});

describe.each(lists)("the pages of $path", ({ path, operationId }) => {
  const refused = invalid("cursor");
  const size = sizes.get(operationId) ?? filled;
  const list = (query: string, own = key): Promise<Answer> => gateway.call({ target: `${path}?${query}`, key: own });
  let cursor: string;

  beforeAll(async () => {
    cursor = await cursorOf(path, key);
  });

  test("hold each item once, newest first, whatever the page size", async () => {
    for (const limit of [1, 7, 50, 100]) {
      const ids: string[] = [];
      let next: string | null = null;
      do {
        const { data, meta } = (await list(`limit=${limit}${next === null ? "" : `&cursor=${next}`}`)).json as Page;
        expect(meta.hasMore).toBe(meta.nextCursor !== null);
        ids.push(...data.map(idOf));
        next = meta.nextCursor;
      } while (next !== null);
      expect(ids).toEqual([...new Set(ids)].toSorted().toReversed());
      expect(ids).toHaveLength(size);
    }
  });

  test("its cursor works as it was given, and with another page size", async () => {
    const first = (await list("limit=2")).json as Page;
    const second = (await list(`limit=3&cursor=${cursor}`)).json as Page;
    const both = (await list("limit=5")).json as Page;
    expect([...first.data, ...second.data].map(idOf)).toEqual(both.data.map(idOf));
  });

  test("its cursor is refused by another list", async () => {
    for (const other of lists.filter((candidate) => candidate.path !== path)) {
      expect(await list(`cursor=${await cursorOf(other.path, key)}`)).toMatchObject(refused);
    }
    expect(lists.length).toBeGreaterThan(1);
  });

  test("its cursor is refused for another account", async () => {
    expect(await list(`cursor=${await cursorOf(path, strangerKey)}`)).toMatchObject(refused);
    expect(await list(`cursor=${cursor}`, strangerKey)).toMatchObject(refused);
  });
});

function idOf(item: Item): string {
  return item.id ?? `${item.ledgerTransactionId} ${item.ledgerAccountId}`;
}
