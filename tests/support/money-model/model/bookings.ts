import type { Entry, Money } from "./state.ts";
import { book, itemAt, type Answer } from "./money.ts";

type Move = { from: number; to: number; amount: number };

/** Moves available money between two wallets. */
export function moveByHand(money: Money, { from, to, amount }: Move): Answer {
  const [payer, payee] = [itemAt(money.wallets, from), itemAt(money.wallets, to)];
  if (payer === payee || payer.currency !== payee.currency) {
    return "INVALID_REQUEST";
  }
  return bookByHand(money, [
    { wallet: payer, part: "available", amount: -amount },
    { wallet: payee, part: "available", amount },
  ]);
}

/** Moves an amount between two ledger accounts of the customer's own. */
export function moveOwn(money: Money, { from, to, amount }: Move): Answer {
  const [debited, credited] = [itemAt(money.ownAccounts, from), itemAt(money.ownAccounts, to)];
  return debited === credited
    ? "INVALID_REQUEST"
    : bookByHand(money, [
        { own: debited, amount: -amount },
        { own: credited, amount },
      ]);
}

function bookByHand(money: Money, entries: readonly Entry[]): Answer {
  const refusal = book(money, "manual", entries);
  if (refusal === null) {
    money.bookings.push({ kind: "manual", entries, isReversed: false });
  }
  return refusal ?? "done";
}

export function reverseBooking(money: Money, { booking: index }: { booking: number }): Answer {
  const booking = itemAt(money.bookings, index);
  if (booking.kind !== "manual") {
    return "INVALID_STATE";
  }
  if (booking.isReversed) {
    return "ALREADY_REVERSED";
  }
  const opposite = booking.entries.map((entry): Entry => ({ ...entry, amount: -entry.amount }));
  const refusal = book(money, "reversal", opposite);
  booking.isReversed = refusal === null;
  return refusal ?? "done";
}
