import type { LedgerDeps } from "./ledger-deps.ts";
import { Problem } from "@gateway/contract";
import { isUniqueViolation, type Executor } from "@gateway/database";
import { sql, type RawBuilder } from "kysely";
import type { AccountExecutor } from "@gateway/engine/account-time";
import type { TransitionEvent } from "@gateway/engine/move";
import { externalIdUsed } from "@gateway/engine/find-own";
import {
  decidePosting,
  type BookedEntry,
  type LockedAccount,
  type LockedWallet,
  type Posting,
  type RefusedPosting,
  type WalletChange,
} from "./decide-posting.ts";
import type { LedgerTransaction } from "./present-ledger.ts";
import { presentBalance } from "./present-wallet.ts";

/**
 * The one way in which money moves. Wallets are locked by id, then own accounts, so postings never wait in a circle.
 * The rules decide, and one statement writes all of it. A shortage is a value. A refused posting has changed nothing.
 */
export type Post = (trx: AccountExecutor, posting: Posting & Company) => Promise<Posted | RefusedPosting>;

/** The parts that are written together with a posting that is not refused. */
type Company = {
  /** The events of the cause: recorded before the balances' events. */
  announces?: readonly TransitionEvent[];
  /** Additions to the same statement: further parts of its `with`, with other names than its own. */
  beside?: RawBuilder<unknown>;
};

export type Posted = { kind: "posted"; transaction: LedgerTransaction };

export function createPost(deps: LedgerDeps): Post {
  return async (trx, posting) => {
    const decision = decidePosting(posting, {
      wallets: await lockWallets(trx, posting),
      accounts: await lockOwnAccounts(trx, posting),
    });
    if (decision.kind === "refused") {
      return decision;
    }
    const { wallets, accounts, entries } = decision;
    const transaction = transactionOf(posting, {
      id: posting.reverses?.by ?? deps.createId("ltx"),
      createdAt: trx.now,
      entries,
    });
    const events = deps.recorder.beside(trx, [
      ...(posting.announces ?? []),
      ...wallets.map((change) => ({
        type: "wallet.balance_changed" as const,
        object: presentChange(change, transaction),
      })),
    ]);
    const { accountId, beside = null } = posting;
    await write(trx, { accountId, transaction, wallets, accounts, parts: [events, beside] });
    return { kind: "posted", transaction };
  };
}

/** For callers that must roll everything back after a shortage. */
export function postedOrThrow(result: Posted | RefusedPosting): LedgerTransaction {
  if (result.kind === "refused") {
    throw new Problem(result.code, result.message);
  }
  return result.transaction;
}

async function lockWallets(db: Executor, { accountId, entries }: Posting): Promise<LockedWallet[]> {
  const ids = [...new Set(entries.flatMap(({ place }) => (place.kind === "wallet" ? [place.walletId] : [])))];
  if (ids.length === 0) {
    return [];
  }
  const { rows } = await sql<LockedWallet>`
    select id, currency, status, version, available as "availableMinor", pending as "pendingMinor", held as "heldMinor"
    from wallets where id = any(${ids}::text[]) and account_id = ${accountId} order by id for no key update
  `.execute(db);
  return rows;
}

/**
 * Locks by the primary key. The kind is written in a form that its index does not know, because that index leads to all
 * of the account's own accounts.
 */
async function lockOwnAccounts(db: Executor, { accountId, entries }: Posting): Promise<LockedAccount[]> {
  const ids = [...new Set(entries.flatMap(({ place }) => (place.kind === "own" ? [place.ledgerAccountId] : [])))];
  if (ids.length === 0) {
    return [];
  }
  const { rows } = await sql<LockedAccount>`
    select id, currency, may_be_negative as "mayBeNegative", balance as "balanceMinor"
    from ledger_accounts where account_id = ${accountId} and id = any(${ids}::text[]) and kind || '' = 'own'
    order by id for no key update
  `.execute(db);
  return rows;
}

function transactionOf(
  { kind, cause, description = null, externalId = null, metadata = {}, reverses }: Posting,
  { id, createdAt, entries }: { id: string; createdAt: Date; entries: BookedEntry[] },
): LedgerTransaction {
  return {
    id,
    kind,
    cause,
    entries,
    description,
    externalId,
    metadata,
    reverses: reverses?.id ?? null,
    reversedBy: null,
    sequence: null,
    hash: null,
    createdAt,
  };
}

type Writing = {
  accountId: string;
  transaction: LedgerTransaction;
  wallets: readonly WalletChange[];
  accounts: readonly LockedAccount[];
  /** The parts of the statement, see `Recorder.beside` and `Company`. */
  parts: readonly (RawBuilder<unknown> | null)[];
};

/** `posting_no` is drawn here, under the locks. */
async function write(db: Executor, { accountId, transaction, wallets, accounts, parts }: Writing): Promise<void> {
  const { id, kind, cause, description, externalId, metadata, reverses, createdAt, entries } = transaction;
  const after = wallets.map((change) => change.after);
  await sql`
    with moved as (
      update wallets set available = input.available, pending = input.pending, held = input.held, status = input.status,
        version = input.version
      from unnest(
        ${after.map((wallet) => wallet.id)}::text[],
        ${after.map(({ availableMinor }) => availableMinor)}::bigint[],
        ${after.map(({ pendingMinor }) => pendingMinor)}::bigint[],
        ${after.map(({ heldMinor }) => heldMinor)}::bigint[],
        ${after.map(({ status }) => status)}::text[],
        ${after.map(({ version }) => version)}::bigint[]
      ) as input (id, available, pending, held, status, version)
      where wallets.account_id = ${accountId} and wallets.id = input.id
        and wallets.id = any(${after.map((wallet) => wallet.id)}::text[])
    ), counted as (
      update ledger_accounts set balance = input.balance
      from unnest(
        ${accounts.map((account) => account.id)}::text[],
        ${accounts.map(({ balanceMinor }) => balanceMinor)}::bigint[]
      ) as input (id, balance)
      where ledger_accounts.account_id = ${accountId} and ledger_accounts.id = input.id
        and ledger_accounts.id = any(${accounts.map((account) => account.id)}::text[])
    ), booked as (
      insert into ledger_transactions
        (account_id, id, kind, cause_type, cause_id, description, external_id, metadata, reverses, created_at)
      values (${accountId}, ${id}, ${kind}, ${cause?.type ?? null}, ${cause?.id ?? null}, ${description}, ${externalId},
        ${JSON.stringify(metadata)}, ${reverses}, ${createdAt})
    )${sql.join(
      parts.filter((part) => part !== null).map((part) => sql`, ${part}`),
      sql``,
    )}
    insert into ledger_entries (account_id, id, ledger_account_id, direction, amount, balance_after, created_at)
    select ${accountId}, ${id} || '_' || lpad((place - 1)::text, 2, '0'), ledger_account_id, direction, amount, balance_after,
      ${createdAt}
    from unnest(
      ${entries.map(({ ledgerAccountId }) => ledgerAccountId)}::text[],
      ${entries.map(({ direction }) => direction)}::text[],
      ${entries.map(({ amountMinor }) => amountMinor)}::bigint[],
      ${entries.map(({ balanceAfterMinor }) => balanceAfterMinor)}::bigint[]
    ) with ordinality as input (ledger_account_id, direction, amount, balance_after, place)
  `
    .execute(db)
    .catch((error: unknown) => {
      throw isUniqueViolation(error, "ledger_transactions_by_external_id")
        ? externalIdUsed("has another transaction", error)
        : error;
    });
}

function presentChange({ before, after }: WalletChange, { id, cause, createdAt }: LedgerTransaction) {
  return {
    walletId: after.id,
    currency: after.currency,
    balanceBefore: presentBalance(before),
    balanceAfter: presentBalance(after),
    version: after.version,
    cause,
    ledgerTransactionId: id,
    changedAt: createdAt.toISOString(),
  };
}
