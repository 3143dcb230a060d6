import { migrate } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase } from "@gateway/testkit";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrations } from "../../src/migrations/index.ts";

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0019"));
const accountId = createTypeId("acc");

let url: string;
let db: pg.Client;

beforeEach(async () => {
  ({ url } = await createTestDatabase({ migrated: false }));
  await migrate(url, before);
  db = new pg.Client(url);
  await db.connect();
  await db.query(
    `insert into accounts (id, email, tier, created_at) values ('${accountId}', 'a@b.c', 'growth', now())`,
  );
});
afterEach(() => db.end());

/** As the release before says it. */
async function createWallet(currency: string): Promise<string> {
  const id = createTypeId("wal");
  await db.query(
    `insert into wallets (id, account_id, name, currency, available, pending, metadata, created_at)
     values ('${id}', '${accountId}', 'W', '${currency}', 0, 0, '{}', now())`,
  );
  return id;
}

async function accountsOf(walletId: string): Promise<unknown> {
  const { rows } = await db.query(
    `select array_agg(purpose order by purpose) as parts from ledger_accounts where wallet_id = '${walletId}'`,
  );
  return rows[0];
}

test("a wallet of before, and one that the release before creates meanwhile, is active and three ledger accounts", async () => {
  const wallets = [await createWallet("EUR"), await createWallet("EUR")];
  await migrate(url, { ...before, "0019_ledger": migrations["0019_ledger"] as never });
  wallets.push(await createWallet("BTC"));

  for (const id of wallets) {
    expect(await accountsOf(id)).toEqual({ parts: ["available", "held", "pending"] });
  }
  const { rows } = await db.query("select distinct status, held, version from wallets");
  expect(rows).toEqual([{ status: "active", held: "0", version: "0" }]);
  const clearing = await db.query(
    "select currency, count(*)::int from ledger_accounts where kind = 'clearing' group by 1 order by 1",
  );
  expect(clearing.rows).toEqual([
    { currency: "BTC", count: 5 },
    { currency: "EUR", count: 5 },
  ]);
});

test("an upgrade that was interrupted is taken up where it stood", async () => {
  const wallet = await createWallet("EUR");
  const { prepare } = migrations["0019_ledger"] as unknown as { prepare(db: unknown): Promise<void> };
  const kysely = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) }),
  });
  await prepare(kysely);
  await kysely.destroy();

  await migrate(url, migrations);

  expect(await accountsOf(wallet)).toEqual({ parts: ["available", "held", "pending"] });
});

test("entries that were booked without a time get that of their transaction, and stay final", async () => {
  await migrate(url, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0030")));
  const id = createTypeId("ltx");
  await db.query(
    `insert into ledger_transactions (account_id, id, kind, created_at)
     values ('${accountId}', '${id}', 'manual', '2026-03-09T11:47:03.550Z')`,
  );
  await db.query(
    `insert into ledger_entries (account_id, id, ledger_account_id, direction, amount)
     values ('${accountId}', '${id}_00', 'lac', 'debit', 1)`,
  );
  await migrate(url, migrations);

  const { rows } = await db.query("select created_at from ledger_entries");
  expect(rows).toEqual([{ created_at: new Date("2026-03-09T11:47:03.550Z") }]);
  await expect(db.query("update ledger_entries set amount = 2")).rejects.toThrow("is final");
});

test("what is booked is neither changed nor deleted; what it begins without is added once", async () => {
  await migrate(url, migrations);
  const id = createTypeId("ltx");
  await db.query(
    `insert into ledger_transactions (account_id, id, kind, created_at) values ('${accountId}', '${id}', 'manual', now())`,
  );
  await db.query(
    `insert into ledger_entries (account_id, id, ledger_account_id, direction, amount, created_at)
     values ('${accountId}', '${id}_00', 'lac', 'debit', 1, now())`,
  );
  const refused = [
    "delete from ledger_entries",
    "delete from ledger_transactions",
    "truncate ledger_entries",
    "update ledger_entries set amount = 2",
    "update ledger_transactions set description = 'x'",
    "update ledger_transactions set posting_no = 7",
    "update ledger_transactions set sequence = 2, hash = 'a'",
    "update ledger_transactions set reversed_by = null",
  ];
  await db.query("update ledger_transactions set sequence = 1, hash = 'a'");
  await db.query("update ledger_transactions set reversed_by = 'ltx_1'");
  for (const statement of refused) {
    await expect(db.query(statement), statement).rejects.toThrow("is final: it is neither changed nor deleted.");
  }
});
