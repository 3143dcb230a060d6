import type { Schemas } from "@gateway/contract";
import type { Checkpoint } from "./checkpoint.ts";
import type { BookedEntry } from "./decide-posting.ts";
import type { LedgerAccount } from "./ledger-account.ts";
import type { LedgerEntry } from "./ledger-entry.ts";
import type { Cause, LedgerTransactionKind } from "./ledger-place.ts";

export type LedgerTransaction = {
  id: string;
  kind: LedgerTransactionKind;
  cause: Cause;
  entries: BookedEntry[];
  description: string | null;
  externalId: string | null;
  metadata: Record<string, string>;
  reverses: string | null;
  reversedBy: string | null;
  /** Null until it is sealed, as the hash. */
  sequence: number | null;
  hash: Buffer | null;
  createdAt: Date;
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
