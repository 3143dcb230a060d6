import type { LedgerPlace, Posting } from "../ledger/index.ts";
import type { Payment } from "./payment.ts";

type Booking = Pick<Posting, "kind" | "entries">;

const available = (walletId: string): LedgerPlace => ({ kind: "wallet", walletId, part: "available" });
const held = (walletId: string): LedgerPlace => ({ kind: "wallet", walletId, part: "held" });

export function transferOf({ walletId, destination, amountMinor }: Payment): Booking {
  if (!("walletId" in destination)) {
    throw new Error("Money for a counterparty must be held first.");
  }
  return { kind: "payment", entries: moving(available(walletId), available(destination.walletId), amountMinor) };
}

export function holdOf({ walletId, amountMinor, feeMinor }: Payment): Booking {
  return { kind: "hold", entries: moving(available(walletId), held(walletId), amountMinor + feeMinor) };
}

export function releaseOf({ walletId, amountMinor, feeMinor }: Payment): Booking {
  return { kind: "release", entries: moving(held(walletId), available(walletId), amountMinor + feeMinor) };
}

export function settlementOf({ walletId, amountMinor, feeMinor, currency }: Payment): Booking {
  return {
    kind: "payment",
    entries: [
      ...moving(held(walletId), { kind: "clearing", currency, part: "rail" }, amountMinor),
      ...moving(held(walletId), { kind: "clearing", currency, part: "fees" }, feeMinor),
    ],
  };
}

export function returnOf({ walletId, currency }: Payment, amountMinor: number): Booking {
  return {
    kind: "return",
    entries: moving({ kind: "clearing", currency, part: "rail" }, available(walletId), amountMinor),
  };
}

function moving(from: LedgerPlace, to: LedgerPlace, amountMinor: number): Posting["entries"] {
  return [
    { place: from, direction: "debit", amountMinor },
    { place: to, direction: "credit", amountMinor },
  ];
}
