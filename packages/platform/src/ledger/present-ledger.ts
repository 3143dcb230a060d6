import type { Schemas } from "@gateway/contract";
import type { Checkpoint } from "./checkpoint.ts";
import type { BookedEntry } from "./decide-posting.ts";
import type { LedgerAccount } from "./ledger-account.ts";
import type { LedgerEntry } from "./ledger-entry.ts";
import type { NounOf } from "@gateway/engine/noun";
import type { Cause } from "./ledger-place.ts";
import type { TransactionRow } from "./tables.ts";

/** `sequence` and `hash` are null until it is sealed. */
export type LedgerTransaction = NounOf<Omit<TransactionRow, "cause_type" | "cause_id" | "posting_no">> & {
  cause: Cause;
  entries: BookedEntry[];
};

export function presentLedgerAccount(account: LedgerAccount): Schemas["LedgerAccount"] {
  return {
    id: account.id,
    name: account.name,
    currency: account.currency,
    mayBeNegative: account.mayBeNegative,
    kind: account.kind,
    purpose: account.purpose,
    walletId: account.walletId,
    balance: account.balanceMinor,
    externalId: account.externalId,
    metadata: account.metadata,
    createdAt: account.createdAt.toISOString(),
  };
}

export function presentLedgerTransaction(transaction: LedgerTransaction): Schemas["LedgerTransaction"] {
  return {
    id: transaction.id,
    kind: transaction.kind,
    cause: transaction.cause,
    entries: transaction.entries.map(({ ledgerAccountId, direction, amountMinor, balanceAfterMinor }) => ({
      ledgerAccountId,
      direction,
      amount: amountMinor,
      balanceAfter: balanceAfterMinor,
    })),
    description: transaction.description,
    externalId: transaction.externalId,
    metadata: transaction.metadata,
    reverses: transaction.reverses,
    reversedBy: transaction.reversedBy,
    sequence: transaction.sequence,
    hash: transaction.hash?.toString("hex") ?? null,
    createdAt: transaction.createdAt.toISOString(),
  };
}

export function presentLedgerEntry(entry: LedgerEntry): Schemas["LedgerEntryOfAccount"] {
  return {
    ledgerTransactionId: entry.ledgerTransactionId,
    kind: entry.kind,
    cause: entry.cause,
    ledgerAccountId: entry.ledgerAccountId,
    direction: entry.direction,
    amount: entry.amountMinor,
    balanceAfter: entry.balanceAfterMinor,
    createdAt: entry.createdAt.toISOString(),
  };
}

export function presentCheckpoint(checkpoint: Checkpoint): Schemas["LedgerCheckpoint"] {
  return {
    id: checkpoint.id,
    fromSequence: checkpoint.fromSequence,
    toSequence: checkpoint.toSequence,
    hash: checkpoint.hash.toString("hex"),
    previousHash: checkpoint.previousHash.toString("hex"),
    createdAt: checkpoint.createdAt.toISOString(),
  };
}
