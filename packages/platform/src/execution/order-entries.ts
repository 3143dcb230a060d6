import type { LedgerPlace, Posting, PostingEntry } from "../ledger/index.ts";
import { payingWalletOf, type OrderRow } from "./order.ts";

type Booking = Pick<Posting, "kind" | "entries">;

/** A hold within the paying wallet. */
export function holdOf(order: PayingOrder, amountMinor: number): Booking {
  return { kind: "hold", entries: within(payingWalletOf(order), ["available", "held"], amountMinor) };
}

export function releaseOf(order: PayingOrder, amountMinor: number): Booking {
  return { kind: "release", entries: within(payingWalletOf(order), ["held", "available"], amountMinor) };
}

type PayingOrder = Pick<OrderRow, "side" | "base_wallet_id" | "quote_wallet_id">;

function within(
  walletId: string,
  [from, to]: readonly ["available" | "held", "available" | "held"],
  amountMinor: number,
) {
  return [
    debit({ kind: "wallet", walletId, part: from }, amountMinor),
    credit({ kind: "wallet", walletId, part: to }, amountMinor),
  ];
}

/** Entries of a fill in both wallets. Amounts of zero are not booked. */
export function fillOf(
  { side, base, quote, base_wallet_id: baseWalletId, quote_wallet_id: quoteWalletId }: OrderRow,
  moved: { quantityMinor: number; notionalMinor: number; feeMinor: number },
): Booking {
  const { quantityMinor, notionalMinor, feeMinor } = moved;
  const place = (walletId: string, part: "available" | "held"): LedgerPlace => ({ kind: "wallet", walletId, part });
  const venue = (currency: OrderRow["base"]): LedgerPlace => ({ kind: "clearing", currency, part: "venue" });
  const fees: LedgerPlace = { kind: "clearing", currency: quote, part: "fees" };
  const entries =
    side === "buy"
      ? [
          debit(place(quoteWalletId, "held"), notionalMinor + feeMinor),
          credit(venue(quote), notionalMinor),
          credit(fees, feeMinor),
          debit(venue(base), quantityMinor),
          credit(place(baseWalletId, "available"), quantityMinor),
        ]
      : [
          debit(place(baseWalletId, "held"), quantityMinor),
          credit(venue(base), quantityMinor),
          debit(venue(quote), notionalMinor),
          credit(place(quoteWalletId, "available"), notionalMinor - feeMinor),
          credit(fees, feeMinor),
        ];
  return { kind: "fill", entries: entries.filter(({ amountMinor }) => amountMinor > 0) };
}

function debit(place: LedgerPlace, amountMinor: number): PostingEntry {
  return { place, direction: "debit", amountMinor };
}

function credit(place: LedgerPlace, amountMinor: number): PostingEntry {
  return { place, direction: "credit", amountMinor };
}
