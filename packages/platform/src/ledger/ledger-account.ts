import type { LedgerDeps } from "./ledger-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { invalidField, Problem } from "@gateway/contract";
import { isUniqueViolation, type Transaction } from "@gateway/database";
import type { Currency } from "@gateway/kernel";
import { isOwn, changeAll, externalIdUsed, type Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { prepareAccountPages, type PageRequest } from "@gateway/engine/page";
import type { ClearingPart, LedgerPlace, WalletPart } from "./ledger-place.ts";
import { readBalanceAt, settledMs } from "./read-balance-at.ts";
import type { LedgerTables } from "./tables.ts";

const maxOwnLedgerAccounts = 10_000;

/** `balanceMinor`: credits less debits; null when the sum of a clearing account exceeds 2^53 - 1. */
export type LedgerAccount = ReturnType<typeof accountOf>;

type CreateInput = {
  accountId: string;
  name: string;
  currency: Currency;
  mayBeNegative: boolean;
  externalId: string | null;
  metadata: Record<string, string>;
};

export function createLedgerAccounts(db: Kysely<LedgerTables>, deps: LedgerDeps) {
  const readPage = prepareAccountPages(db, () => db.selectFrom("ledger_accounts").selectAll(), {
    name: "ledger-accounts",
    cursors: deps.cursors,
    toItem: (row) => row,
  });
  return {
    /** A ledger account for the customer's own bookkeeping. */
    create: (input: CreateInput) => deps.inAccount(db, input.accountId, (trx) => createLedgerAccount(trx, deps, input)),
    /** With `at`, the balance at that time, which never changes. */
    get: ({ at, ...own }: { id: string; accountId: string; at?: Date | undefined }) =>
      at === undefined ? findLedgerAccount(db, own) : findLedgerAccountAt(db, deps, { ...own, at }),
    list: async ({ accountId, ...page }: { accountId: string } & PageRequest) => {
      const { items, nextCursor } = await readPage({ accountId, ...page });
      return { items: await addBalances(db, accountId, items), nextCursor };
    },
    eraseTexts: async ({ accountId, name }: { accountId: string; name: string }) => {
      await changeAll(
        db.updateTable("ledger_accounts").set({ name, external_id: null, metadata: "{}" }).where("kind", "=", "own"),
        accountId,
      );
    },
  };
}

async function createLedgerAccount(
  trx: AccountTransaction<LedgerTables>,
  deps: LedgerDeps,
  { accountId, name, currency, mayBeNegative, externalId, metadata }: CreateInput,
): Promise<LedgerAccount> {
  await refuseTooMany(trx, accountId);
  const row = await trx
    .insertInto("ledger_accounts")
    .values({
      account_id: accountId,
      id: deps.createId("lac"),
      name,
      currency,
      kind: "own",
      may_be_negative: mayBeNegative,
      balance: 0,
      external_id: externalId,
      metadata: JSON.stringify(metadata),
      created_at: trx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw isUniqueViolation(error, "ledger_accounts_by_external_id")
        ? externalIdUsed("has another ledger account", error, { isFound: false })
        : error;
    });
  await deps.recordAudit(trx, {
    accountId,
    type: "ledger_account.created",
    resourceId: row.id,
    after: { name, currency, mayBeNegative, ...(externalId !== null && { externalId }) },
  });
  return accountOf(row, row.balance);
}

/** An account's ledger accounts are counted one transaction at a time, because two could otherwise both be the last. */
async function refuseTooMany(trx: Transaction<LedgerTables>, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('ledger_accounts ' || ${accountId}, 0))`.execute(trx);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ledger_accounts where account_id = ${accountId} and kind = 'own' limit ${sql.lit(maxOwnLedgerAccounts)}
    ) as own
  `.execute(trx);
  if ((rows[0]?.count ?? 0) >= maxOwnLedgerAccounts) {
    throw new Problem(
      "LIMIT_REACHED",
      `The account has ${maxOwnLedgerAccounts} own ledger accounts, which is the maximum.`,
    );
  }
}

type Row = Selectable<LedgerTables["ledger_accounts"]>;

async function findRow(db: Kysely<LedgerTables>, own: Own): Promise<Row | undefined> {
  return db.selectFrom("ledger_accounts").selectAll().where(isOwn(own)).executeTakeFirst();
}

async function findLedgerAccount(db: Kysely<LedgerTables>, own: Own): Promise<LedgerAccount | null> {
  const row = await findRow(db, own);
  const [account = null] = row ? await addBalances(db, own.accountId, [row]) : [];
  return account;
}

async function findLedgerAccountAt(
  db: Kysely<LedgerTables>,
  { clock }: LedgerDeps,
  { at, ...own }: { id: string; accountId: string; at: Date },
): Promise<LedgerAccount | null> {
  if (at.getTime() > clock.now() - settledMs) {
    throw invalidField("at", "must be at least 60 seconds in the past");
  }
  const row = await findRow(db, own);
  return row
    ? accountOf(row, await readBalanceAt(db, { accountId: own.accountId, ledgerAccountId: row.id, at }))
    : null;
}

/** Adds the balances of wallets from their rows, of clearing accounts from their entries since the last stored sums. */
async function addBalances(
  db: Kysely<LedgerTables>,
  accountId: string,
  accounts: readonly Row[],
): Promise<LedgerAccount[]> {
  const walletIds = accounts.flatMap(({ wallet_id: walletId }) => walletId ?? []);
  const wallets =
    walletIds.length === 0
      ? []
      : await db
          .selectFrom("wallets")
          .select(["id", "available", "pending", "held"])
          .where("id", "in", walletIds)
          .where("account_id", "=", accountId)
          .execute();
  const walletsById = new Map(wallets.map((wallet) => [wallet.id, wallet]));
  const presented: LedgerAccount[] = [];
  for (const row of accounts) {
    const wallet = walletsById.get(row.wallet_id ?? "");
    // The table's checks guarantee it: only parts of wallets have a wallet.
    const part = row.purpose as WalletPart;
    const balance =
      row.kind === "clearing"
        ? await readBalanceAt(db, { accountId, ledgerAccountId: row.id, at: null })
        : (wallet?.[part] ?? row.balance);
    presented.push(accountOf(row, balance));
  }
  return presented;
}

function accountOf({ balance: _stored, ...row }: Row, balanceMinor: number | null) {
  return { ...nounOf(row), mayBeNegative: row.may_be_negative || row.kind === "clearing", balanceMinor };
}

/** The places of these ledger accounts, by their ids; those of another account are left out. */
export async function findPlaces(
  db: Kysely<LedgerTables>,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<Map<string, { place: LedgerPlace; currency: Currency }>> {
  const { rows } = await sql<Pick<Row, "id" | "currency" | "purpose" | "wallet_id" | "kind">>`
    select id, currency, purpose, wallet_id, kind from ledger_accounts
    where account_id = ${accountId} and id = any(${[...ids]}::text[])
  `.execute(db);
  return new Map(rows.map((row) => [row.id, { place: placeOf(row), currency: row.currency }]));
}

function placeOf(row: Pick<Row, "id" | "currency" | "purpose" | "wallet_id" | "kind">): LedgerPlace {
  if (row.wallet_id !== null) {
    // The trigger `open_ledger_accounts` opened it as a part of its wallet.
    return { kind: "wallet", walletId: row.wallet_id, part: row.purpose as WalletPart };
  }
  if (row.kind !== "clearing") {
    return { kind: "own", ledgerAccountId: row.id };
  }
  // The same trigger opened it as one of the clearing accounts.
  return { kind: "clearing", currency: row.currency, part: row.purpose as ClearingPart };
}
