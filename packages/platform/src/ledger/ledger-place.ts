import type { Schemas } from "@gateway/contract";
import type { Currency } from "@gateway/kernel";
import { createHash } from "node:crypto";

export const walletParts = ["available", "pending", "held"] as const;
export type WalletPart = (typeof walletParts)[number];

const clearingParts = ["chain", "rail", "venue", "fees", "equity"] as const;
export type ClearingPart = (typeof clearingParts)[number];

export type Direction = "debit" | "credit";

/** The cause of the movement; null when it is booked by hand. */
export type Cause = { type: Schemas["WalletBalanceCauseType"]; id: string } | null;

export type CauseColumns = { cause_type: NonNullable<Cause>["type"] | null; cause_id: string | null };

export function causeOf({ cause_type: type, cause_id: id }: CauseColumns): Cause {
  return type !== null && id !== null ? { type, id } : null;
}

export type LedgerTransactionKind = Schemas["LedgerTransactionKind"];

/** The place of an entry: a part of a wallet, a clearing account, or an account for the customer's own bookkeeping. */
export type LedgerPlace =
  | { kind: "wallet"; walletId: string; part: WalletPart }
  | { kind: "clearing"; currency: Currency; part: ClearingPart }
  | { kind: "own"; ledgerAccountId: string };

export function ledgerAccountIdOf(place: LedgerPlace, accountId: string): string {
  switch (place.kind) {
    case "wallet":
      return partId(place.walletId, place.part);
    case "clearing":
      return partId(accountId, `${place.currency} ${place.part}`);
    case "own":
      return place.ledgerAccountId;
  }
}

/** The function `ledger_account_id` of migration 0009, so that the id is known without a look-up. */
function partId(owner: string, part: string): string {
  const digest = createHash("md5").update(`${owner} ${part}`).digest("hex");
  return `lac_${owner.slice(4, 14)}${digest.slice(0, 16)}`;
}
