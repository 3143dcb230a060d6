import type { LedgerDeps } from "./ledger-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { invalidField, Problem } from "@gateway/contract";
import { isOwn, type Own } from "@gateway/engine/find-own";
import { sql, type Kysely } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { readPage, refuseBesideRange, type Page, type PageRequest } from "@gateway/engine/page";
import { adjustWallet, fundWallet, type Adjustment, type Funding } from "./adjust-wallet.ts";
import type { BookedEntry, Posting, PostingEntry } from "./decide-posting.ts";
import { findPlaces } from "./ledger-account.ts";
import { causeOf, type Direction, type LedgerTransactionKind, type LedgerPlace } from "./ledger-place.ts";
import { postedOrThrow, type Post } from "./post.ts";
import type { LedgerTables, TransactionRow as Row } from "./tables.ts";
import type { LedgerTransaction } from "./present-ledger.ts";

type LedgerTransactionFilter = {
  kind?: LedgerTransactionKind | undefined;
  cause?: string | undefined;
  externalId?: string | undefined;
};

type CreateInput = {
  accountId: string;
  entries: readonly { ledgerAccountId: string; direction: Direction; amountMinor: number }[];
  description: string | null;
  externalId: string | null;
  metadata: Record<string, string>;
};

type ListInput = { accountId: string } & LedgerTransactionFilter & PageRequest;

export type LedgerTransactionDeps = LedgerDeps & { post: Post };

export function createLedgerTransactions(db: Kysely<LedgerTables>, deps: LedgerTransactionDeps) {
  const { inAccount } = deps;
  return {
    /** For services, in the transaction that they write in. */
    post: (posting: Posting) => inAccount(db, posting.accountId, (trx) => deps.post(trx, posting)),
    /**
     * Books by hand: between available balances of wallets, or between own accounts, so that no spendable money is
     * created.
     */
    create: (input: CreateInput) => inAccount(db, input.accountId, (trx) => createManual(trx, deps, input)),
    get: (own: Own) => findTransaction(db, own),
    list: (request: ListInput) => listTransactions(db, deps, request),
    /** Possible once, and only for a booking by hand. Null when there is no such transaction. */
    reverse: (own: Own) => inAccount(db, own.accountId, (trx) => reverse(trx, deps, own)),
    adjust: async (input: Adjustment) => {
      const wallet = await db
        .selectFrom("wallets")
        .select(["account_id", "currency"])
        .where("id", "=", input.walletId)
        .executeTakeFirst();
      return wallet
        ? inAccount(db, wallet.account_id, (trx) => adjustWallet(trx, deps, { ...input, currency: wallet.currency }))
        : null;
    },
    fund: (input: Funding) => inAccount(db, input.accountId, (trx) => fundWallet(trx, deps, input)),
  };
}

async function createManual(
  trx: AccountTransaction<LedgerTables>,
  { post, recordAudit }: LedgerTransactionDeps,
  { entries, ...input }: CreateInput,
): Promise<LedgerTransaction> {
  const ids = entries.map(({ ledgerAccountId }) => ledgerAccountId);
  const found = await findPlaces(trx, { accountId: input.accountId, ids });
  const placed = entries.map((entry, index) => {
    const known = found.get(entry.ledgerAccountId);
    if (!known) {
      throw invalidField(`entries.${index}.ledgerAccountId`, "is not a ledger account of this account");
    }
    return { ...entry, ...known };
  });
  refuseUnlikeEntries(placed);
  const booked = postedOrThrow(
    await post(trx, { ...input, kind: "manual", cause: null, isUnderWay: false, entries: placed }),
  );
  await recordAudit(trx, {
    accountId: input.accountId,
    type: "ledger_transaction.created",
    resourceId: booked.id,
    after: { description: input.description, externalId: input.externalId },
  });
  return booked;
}

type PlacedEntry = PostingEntry & { ledgerAccountId: string; currency: string };

function refuseUnlikeEntries(entries: readonly PlacedEntry[]): void {
  for (const [index, { place, ledgerAccountId, direction }] of entries.entries()) {
    const field = `entries.${index}.ledgerAccountId`;
    if (place.kind === "clearing" || (place.kind === "wallet" && place.part !== "available")) {
      throw invalidField(field, "must be the available money of a wallet, or a ledger account of your own");
    }
    if (entries.some((other) => other.ledgerAccountId === ledgerAccountId && other.direction !== direction)) {
      throw invalidField(field, "must not be both debited and credited");
    }
  }
  if (new Set(entries.map(({ place }) => place.kind)).size > 1) {
    throw invalidField("entries", "must all be of wallets, or all be of ledger accounts of your own");
  }
  const sums = new Map<string, bigint>();
  for (const { currency, direction, amountMinor } of entries) {
    const amount = direction === "credit" ? BigInt(amountMinor) : -BigInt(amountMinor);
    sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  }
  if ([...sums.values()].some((sum) => sum !== 0n)) {
    throw invalidField("entries", "must debit as much as they credit in each currency");
  }
}

/** The conditional update decides which caller reverses. Everything after it is rolled back with it. */
async function reverse(
  trx: AccountTransaction<LedgerTables>,
  { createId, post, recordAudit }: LedgerTransactionDeps,
  { id, accountId }: Own,
): Promise<LedgerTransaction | null> {
  const by = createId("ltx");
  const { numUpdatedRows } = await trx
    .updateTable("ledger_transactions")
    .set({ reversed_by: by })
    .where(isOwn({ id, accountId }))
    .where("kind", "=", "manual")
    .where("reversed_by", "is", null)
    .executeTakeFirst();
  const reversed = await findTransaction(trx, { id, accountId });
  if (!reversed) {
    return null;
  }
  if (numUpdatedRows === 0n) {
    throw reversed.reversedBy === null
      ? new Problem(
          "INVALID_STATE",
          `The ledger transaction ${id} was not booked by hand, so it is not reversed by hand.`,
        )
      : new Problem("ALREADY_REVERSED", `The ledger transaction ${id} is reversed already, by ${reversed.reversedBy}.`);
  }
  const places = await findPlaces(trx, { accountId, ids: reversed.entries.map((entry) => entry.ledgerAccountId) });
  const reversal = postedOrThrow(
    await post(trx, {
      accountId,
      kind: "reversal",
      cause: null,
      isUnderWay: false,
      reverses: { id, by },
      entries: reversed.entries.map(({ ledgerAccountId, direction, amountMinor }) => ({
        place: placeIn(places, ledgerAccountId),
        direction: direction === "debit" ? "credit" : "debit",
        amountMinor,
      })),
    }),
  );
  const after = { reversedBy: by };
  await recordAudit(trx, { accountId, type: "ledger_transaction.reversed", resourceId: id, after });
  return reversal;
}

function placeIn(places: Awaited<ReturnType<typeof findPlaces>>, id: string): LedgerPlace {
  const known = places.get(id);
  if (!known) {
    throw new Error(`The ledger account ${id} has entries and is gone.`);
  }
  return known.place;
}

async function findTransaction(db: Kysely<LedgerTables>, { id, accountId }: Own): Promise<LedgerTransaction | null> {
  const row = await db.selectFrom("ledger_transactions").selectAll().where(isOwn({ id, accountId })).executeTakeFirst();
  const [found = null] = row ? await addEntries(db, accountId, [row]) : [];
  return found;
}

async function listTransactions(
  db: Kysely<LedgerTables>,
  { cursors }: LedgerTransactionDeps,
  { accountId, kind, cause, externalId, ...page }: ListInput,
): Promise<Page<LedgerTransaction>> {
  refuseBesideRange(page, { kind, cause, externalId });
  if (externalId !== undefined) {
    const rows = await selectByExternalId(db, { accountId, externalId, kind, cause });
    return { items: await addEntries(db, accountId, rows), nextCursor: null };
  }
  let query = db.selectFrom("ledger_transactions").selectAll();
  if (cause !== undefined) {
    // Transactions of one cause are few, whatever their kind. So the kind is written in a form that does not match its
    // index.
    query = query
      .where("cause_id", "is not", null)
      .$if(kind !== undefined, (some) => some.where(sql<boolean>`kind || '' = ${kind}`));
  }
  const { items, nextCursor } = await readPage(db, query, {
    ...page,
    of: { ...(cause !== undefined ? { cause_id: cause } : kind !== undefined && { kind }), account_id: accountId },
    cursors,
    list: `ledger-transactions ${accountId} ${kind ?? ""} ${cause ?? ""}`,
    toItem: (row) => row,
  });
  return { items: await addEntries(db, accountId, items), nextCursor };
}

async function selectByExternalId(
  db: Kysely<LedgerTables>,
  { accountId, externalId, kind, cause }: { accountId: string; externalId: string } & LedgerTransactionFilter,
): Promise<Row[]> {
  const rows = await db
    .selectFrom("ledger_transactions")
    .selectAll()
    .where("external_id", "=", externalId)
    .where("account_id", "=", accountId)
    .execute();
  return rows.filter(
    (row) => (kind === undefined || row.kind === kind) && (cause === undefined || row.cause_id === cause),
  );
}

type EntryRow = BookedEntry & { transactionId: string };

async function addEntries(
  db: Kysely<LedgerTables>,
  accountId: string,
  rows: readonly Row[],
): Promise<LedgerTransaction[]> {
  if (rows.length === 0) {
    return [];
  }
  const { rows: entries } = await sql<EntryRow>`
    select entries.* from unnest(${rows.map(({ id }) => id)}::text[]) as input (id) cross join lateral (
      select input.id as "transactionId", ledger_account_id as "ledgerAccountId", direction, amount as "amountMinor",
        balance_after as "balanceAfterMinor"
      from ledger_entries
      where account_id = ${accountId} and id > input.id || '_' and id < input.id || '\`'
      order by account_id, id limit 100
    ) as entries
  `.execute(db);
  const byTransaction = Map.groupBy(entries, ({ transactionId }) => transactionId);
  return rows.map((row) => transactionOf(row, byTransaction.get(row.id) ?? []));
}

function transactionOf({ posting_no: _no, ...row }: Row, entries: readonly EntryRow[]): LedgerTransaction {
  const { cause_type, cause_id, ...columns } = row;
  return {
    ...nounOf(columns),
    cause: causeOf({ cause_type, cause_id }),
    entries: entries.map(({ transactionId: _known, ...entry }) => entry),
  };
}
