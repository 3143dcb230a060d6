import fc from "fast-check";
import type { Booking } from "../model/state.ts";
import { availableOf, type Books } from "../books.ts";
import { moveByHand, moveOwn, reverseBooking } from "../model/bookings.ts";
import { choice, choosePlace, weighted, type Step, type WeightedStep } from "../step.ts";
import { amountIn, amountOr, chooseTwoWallets, type Amount } from "./choose-wallets.ts";

type Move = { from: number; to: number; amount: number };
type RawMove = Omit<Move, "amount"> & { amount: Amount };

const amount = fc.integer({ min: 1, max: 30_000 });

const moveWallets: Step<RawMove, Move> = {
  name: "move between wallets by hand",
  mustAnswer: ["done", "INSUFFICIENT_FUNDS", "INVALID_REQUEST", "WALLET_NOT_ACTIVE"],
  raw: fc.record({ from: choice, to: choice, amount: amountOr(amount) }),
  resolve: ({ wallets }, raw) => {
    const { from, to } = chooseTwoWallets(wallets, raw);
    return { from, to, amount: amountIn(raw.amount, wallets[from]) };
  },
  expect: moveByHand,
  act: (books, { from, to, amount: amountMinor }) =>
    bookByHand(books, [availableOf(books, from), availableOf(books, to)], amountMinor),
};

const moveOwnAccounts: Step<Move, Move> = {
  name: "move between own ledger accounts",
  mustAnswer: ["done", "INSUFFICIENT_FUNDS", "INVALID_REQUEST"],
  raw: fc.record({ from: fc.nat({ max: 1 }), to: fc.nat({ max: 1 }), amount }),
  resolve: (_money, raw) => raw,
  expect: moveOwn,
  act: (books, { from, to, amount: amountMinor }) =>
    bookByHand(books, [books.ownAccounts[from] ?? "", books.ownAccounts[to] ?? ""], amountMinor),
};

async function bookByHand(
  { platform, accountId, bookings }: Books,
  [debited, credited]: readonly [string, string],
  amountMinor: number,
): Promise<void> {
  const entries = [
    { ledgerAccountId: debited, direction: "debit", amountMinor },
    { ledgerAccountId: credited, direction: "credit", amountMinor },
  ] as const;
  const input = { accountId, entries, description: null, externalId: null, metadata: {} };
  bookings.push((await platform.ledger.transactions.create(input)).id);
}

type OfBooking = { booking: number };

const reverse: Step<OfBooking, OfBooking> = {
  name: "reverse a booking",
  mustAnswer: ["done", "ALREADY_REVERSED", "INSUFFICIENT_FUNDS", "INVALID_STATE", "WALLET_NOT_ACTIVE"],
  raw: fc.record({ booking: choice }),
  resolve: ({ bookings }, raw) => {
    const isLikely = (one: Booking): boolean => one.kind === "manual" && !one.isReversed;
    const booking = choosePlace(bookings, raw.booking, { isLikely });
    return booking === null ? null : { booking };
  },
  expect: reverseBooking,
  act: async ({ platform, accountId, bookings }, { booking }) => {
    await platform.ledger.transactions.reverse({ id: bookings[booking] ?? "", accountId });
  },
};

export const bookingSteps: WeightedStep[] = [
  weighted(6, moveWallets),
  weighted(2, moveOwnAccounts),
  weighted(7, reverse),
];
