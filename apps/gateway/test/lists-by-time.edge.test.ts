import { openapi } from "@gateway/contract";
import { words } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { invalid } from "./support/answers.ts";
import { allOperations } from "./support/document-request.ts";
import { fillMoney } from "./support/fill-money.ts";
import { useGateway } from "./support/use-gateway.ts";

const { paths } = openapi();
const lists = allOperations.filter(({ path, operationId }) => {
  const parameters = paths[path]?.get as { parameters?: object[] } | undefined;
  return operationId.startsWith("list") && JSON.stringify(parameters).includes("/CreatedAfter");
});
const made = 9;

/** An entry has no id of its own, but its ledger transaction and ledger account. */
type Item = { id?: string; ledgerTransactionId?: string; ledgerAccountId?: string; createdAt: string };
type Page = { data: Item[]; meta: { hasMore: boolean; nextCursor: string | null } };

describe("a list by time", () => {
  let key: string;
  let accountId: string;

  const gateway = useGateway({ keepsStill: true });
  beforeAll(async () => {
    const account = await gateway.createAccount();
    accountId = account.id;
    key = (await gateway.createKey(account, "admin")).secret;
    await fill();
    await shuffleTimes();
  });

  /** Creates some of each resource that is listed by time. */
  async function fill(): Promise<void> {
    const { ledger, orchestra } = gateway.platform;
    const own = { accountId, currency: "EUR", mayBeNegative: true, externalId: null, metadata: {} } as const;
    const [from, to] = [
      await ledger.accounts.create({ ...own, name: "A" }),
      await ledger.accounts.create({ ...own, name: "B" }),
    ];
    const counterparty = { name: "C", currency: "EUR", accountNumber: "DE89370400440532013000" } as const;
    for (let index = 0; index < made; index += 1) {
      await ledger.wallets.create({ accountId, name: `W${index}`, currency: "EUR", metadata: {} });
      await orchestra.counterparties.create({ accountId, ...counterparty });
      await ledger.transactions.create({
        ...{ accountId, description: null, externalId: null, metadata: {} },
        entries: [
          { ledgerAccountId: from.id, direction: "debit", amountMinor: 1 },
          { ledgerAccountId: to.id, direction: "credit", amountMinor: 1 },
        ],
      });
    }
    await fillMoney(gateway, { accountId, count: made });
  }

  /**
   * Gives resources times in another order than that of their ids, and some the same time. Audit events stay, because
   * their ids have their time.
   */
  async function shuffleTimes(): Promise<void> {
    const tables = [
      ...["wallets", "counterparties", "ledger_accounts", "ledger_transactions", "ledger_entries", "payments"],
      ...["deposits", "deposit_addresses", "transfers", "approvals", "address_book_entries", "kyc_verifications"],
      ...["orders", "fills", "valuations"],
    ];
    await gateway.database.kysely.connection().execute(async (connection) => {
      await sql`set session_replication_role = replica`.execute(connection);
      for (const table of tables) {
        await sql`
          update ${sql.table(table)} set created_at = date_trunc('second', now()) - get_byte(sha256(substr(id, 1, 30)::bytea), 0) % 5 * interval '1 hour'
          where account_id = ${accountId}
        `.execute(connection);
      }
      await sql`reset session_replication_role`.execute(connection);
    });
  }

  const ask = (target: string, own = key) => gateway.call({ target, key: own });

  async function read(path: string, query: string, limit: number): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const answer = await ask(`${path}?limit=${limit}${query}${cursor && `&cursor=${cursor}`}`);
      expect(answer.status, answer.text).toBe(200);
      const { data, meta } = answer.json as Page;
      items.push(...data);
      cursor = meta.nextCursor;
    }
    return items;
  }

  describe.each(lists)("of $path", ({ path, operationId }) => {
    const prefixLength = 30;
    const idOf = (item: Item): string => item.id ?? `${item.ledgerTransactionId} ${item.ledgerAccountId}`;
    const placeOf = (item: Item): string => `${item.createdAt} ${idOf(item).slice(0, prefixLength)}`;
    let all: Item[];
    let times: string[];

    beforeAll(async () => {
      all = await read(path, "", 100);
      times = all.map(({ createdAt }) => createdAt).toSorted();
    });

    test("has its items in the order of their times, each once, whatever the page size", async () => {
      expect(all.length).toBeGreaterThanOrEqual(made);
      // Pages of one item would prove no more for lists of hundreds.
      for (const limit of all.length > 40 ? [7, 100] : [1, 4, 100]) {
        const listed = await read(path, `&createdAfter=${times[0]}`, limit);
        expect(listed.map(placeOf)).toEqual(all.map(placeOf).toSorted().toReversed());
        expect(new Set(listed.map(idOf))).toEqual(new Set(all.map(idOf)));
      }
    });

    test("begins with the first moment and ends before the second: periods that follow one another have all, once", async () => {
      const [first, middle, last] = [times[0], times[Math.floor(times.length / 2)], times.at(-1)];
      const later = await read(path, `&createdAfter=${middle}`, 4);
      const earlier = await read(path, `&createdBefore=${middle}`, 4);
      expect(later.length).toBeGreaterThan(0);
      expect([...later, ...earlier].map(placeOf)).toEqual(all.map(placeOf).toSorted().toReversed());
      const between = all.filter(({ createdAt }) => createdAt >= String(middle) && createdAt < String(last));
      expect((await read(path, `&createdAfter=${middle}&createdBefore=${last}`, 4)).map(placeOf)).toEqual(
        between.map(placeOf).toSorted().toReversed(),
      );
      expect(await read(path, `&createdBefore=${first}`, 4)).toEqual([]);
      expect(await read(path, `&createdAfter=${last}&createdBefore=${first}`, 4)).toEqual([]);
    });

    test("takes its cursors for the period and the order that they were given for only", async () => {
      const cursorOf = async (query: string): Promise<string> =>
        String(((await ask(`${path}?limit=1&${query}`)).json as Page).meta.nextCursor);
      const period = `createdAfter=${times[0]}`;
      const [byId, byTime] = [await cursorOf(""), await cursorOf(period)];
      for (const query of [
        `cursor=${byTime}`,
        `${period}&cursor=${byId}`,
        `createdAfter=2020-01-01T00:00:00Z&cursor=${byTime}`,
        `${period}&createdBefore=9999-12-31T23:59:59Z&cursor=${byTime}`,
      ]) {
        expect(await ask(`${path}?${query}`), query).toMatchObject(invalid("cursor"));
      }
    });

    test("has nothing of another account", async () => {
      const stranger = await gateway.createKey(await gateway.createAccount(), "admin");
      for (const query of ["?createdAfter=2020-01-01T00:00:00Z", ""]) {
        const { data } = (await ask(`${path}${query}`, stranger.secret)).json as Page;
        // A new account has its own first entries in the audit log.
        const own = operationId === "listAuditEvents" ? data.length : 0;
        expect(data).toHaveLength(own);
        expect(data.filter((item) => all.some((other) => idOf(other) === idOf(item)))).toEqual([]);
      }
    });
  });

  /**
   * request-properties.test.ts shows which times the document's format allows. One list shows that the database reads
   * them alike.
   */
  test.each(["0000-01-01T00:00:00Z", "2016-12-31T23:59:60Z", "2016-12-31T15:59:60-08", "0001-01-01T00:00:00%2B23:59"])(
    "of /payments has all since %s, and nothing before",
    async (time) => {
      expect((await read("/api/v1/payments", `&createdAfter=${time}`, 100)).length).toBeGreaterThanOrEqual(made);
      expect(await read("/api/v1/payments", `&createdBefore=${time}`, 100)).toEqual([]);
    },
  );

  test.each([
    ["wallets", words`currency=EUR status=active externalId=x`],
    ["counterparties", words`externalId=x`],
    ["ledger-transactions", words`kind=manual cause=pay_01kk972352fjb9tbcdr6598k95 externalId=x`],
    ["payments", words`walletId=wal_01kk972352fjb9tbcdr6598k95 status=failed externalId=x`],
    ["deposits", words`walletId=wal_01kk972352fjb9tbcdr6598k95 status=detected`],
    ["deposit-addresses", words`walletId=wal_01kk972352fjb9tbcdr6598k95 externalId=x`],
    ["transfers", words`walletId=wal_01kk972352fjb9tbcdr6598k95 status=initiated externalId=x`],
    ["approvals", words`status=requested transferId=trf_01kk972352fjb9tbcdr6598k95`],
    ["kyc-verifications", words`reference=x status=verified externalId=x`],
  ] as const)("of /%s is refused beside each of %j, for which there is no index by time", async (name, filters) => {
    for (const filter of filters) {
      for (const field of ["createdAfter", "createdBefore"]) {
        expect(await ask(`/api/v1/${name}?${filter}&${field}=2026-01-01T00:00:00Z`)).toMatchObject(
          invalid([field, `must not be combined with ${filter.split("=")[0]}`]),
        );
      }
    }
  });

  test("of a ledger account's entries is its statement of the period", async () => {
    const [entry] = await read("/api/v1/ledger-entries", "", 1);
    const of = `&ledgerAccountId=${entry?.ledgerAccountId}`;
    const all = await read("/api/v1/ledger-entries", of, 100);
    const [middle] = all
      .map(({ createdAt }) => createdAt)
      .toSorted()
      .slice(made / 2);
    const statement = await read("/api/v1/ledger-entries", `${of}&createdAfter=${middle}`, 2);
    expect(all).toHaveLength(made);
    expect(statement.map(({ ledgerTransactionId, createdAt }) => `${createdAt} ${ledgerTransactionId}`)).toEqual(
      all
        .filter(({ createdAt }) => createdAt >= String(middle))
        .map(({ ledgerTransactionId, createdAt }) => `${createdAt} ${ledgerTransactionId}`)
        .toSorted()
        .toReversed(),
    );
  });
});
