import fc from "fast-check";
import type { Payment } from "../model/state.ts";
import { obtainCounterparty, type Books } from "../books.ts";
import {
  cancelPayment,
  counterparties,
  payCounterparty,
  payWallet,
  rails,
  simulatePayment,
  type PaymentOutcome,
} from "../model/payments.ts";
import { itemAt } from "../model/money.ts";
import { choice, choosePlace, weighted, type Step, type WeightedStep } from "../step.ts";
import { amountIn, amountOr, chooseTwoWallets, chooseWallet, type Amount } from "./choose-wallets.ts";

/** Some amounts exceed the wallet, and some reach the threshold of compliance. */
const amount = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 20_000 }), weight: 3 },
  { arbitrary: fc.integer({ min: 20_000, max: 120_000 }), weight: 1 },
);

type ToWallet = { from: number; to: number; amount: number };
type RawToWallet = Omit<ToWallet, "amount"> & { amount: Amount };

const toWallet: Step<RawToWallet, ToWallet> = {
  name: "pay a wallet",
  mustAnswer: ["done", "INVALID_REQUEST", "WALLET_NOT_ACTIVE"],
  raw: fc.record({ from: choice, to: choice, amount: amountOr(amount) }),
  resolve: ({ wallets }, raw) => {
    const { from, to } = chooseTwoWallets(wallets, raw);
    return { from, to, amount: amountIn(raw.amount, wallets[from]) };
  },
  expect: payWallet,
  act: (books, { from, to, amount: amountMinor }) =>
    pay(books, { from, amountMinor, destination: { walletId: books.wallets[to] ?? "" } }),
};

type ToCounterparty = { from: number; counterparty: number; amount: number };
type RawToCounterparty = Omit<ToCounterparty, "amount"> & { amount: Amount };

const toCounterparty: Step<RawToCounterparty, ToCounterparty> = {
  name: "pay a counterparty",
  mustAnswer: ["done", "INVALID_REQUEST", "WALLET_NOT_ACTIVE"],
  raw: fc.record({ from: choice, counterparty: choice, amount: amountOr(amount) }),
  resolve: ({ wallets }, raw) => {
    const counterparty = choosePlace(counterparties, raw.counterparty) ?? 0;
    const { currency } = itemAt(counterparties, counterparty);
    // Every sixteenth choice is any wallet, perhaps of another currency.
    const from =
      raw.from % 16 === 15 ? (choosePlace(wallets, raw.from) ?? 0) : chooseWallet(wallets, currency, raw.from);
    return { from, counterparty, amount: amountIn(raw.amount, wallets[from], rails[currency].fee) };
  },
  expect: payCounterparty,
  act: async (books, { from, counterparty, amount: amountMinor }) => {
    const counterpartyId = await obtainCounterparty(books, counterparty);
    await pay(books, { from, amountMinor, destination: { counterpartyId } });
  },
};

type Paying = {
  from: number;
  amountMinor: number;
  destination: { walletId: string } | { counterpartyId: string };
};

async function pay(
  { platform, accountId, wallets, payments }: Books,
  { from, amountMinor, destination }: Paying,
): Promise<void> {
  const input = { accountId, walletId: wallets[from] ?? "", destination, amountMinor, externalId: null, metadata: {} };
  const { id } = await platform.inAccount(accountId, ({ orchestra }) => orchestra.payments.create(input));
  payments.push(id);
}

type OfPayment = { payment: number };

const cancel: Step<OfPayment, OfPayment> = {
  name: "cancel a payment",
  mustAnswer: ["done", "INVALID_STATE"],
  raw: fc.record({ payment: choice }),
  resolve: ({ payments }, raw) => {
    const isLikely = ({ status, submittedAtMs }: Payment): boolean => status === "initiated" && submittedAtMs === null;
    const payment = choosePlace(payments, raw.payment, { isLikely });
    return payment === null ? null : { payment };
  },
  expect: cancelPayment,
  act: async ({ platform, accountId, payments }, { payment }) => {
    const own = { id: payments[payment] ?? "", accountId };
    await platform.inAccount(accountId, ({ orchestra }) => orchestra.payments.cancel(own));
  },
};

type Simulating = OfPayment & { outcome: PaymentOutcome };

const simulate: Step<Simulating, Simulating> = {
  name: "simulate a payment",
  mustAnswer: ["done", "INVALID_STATE"],
  raw: fc.record({ payment: choice, outcome: fc.constantFrom("settled", "failed", "returned") }),
  resolve: ({ payments }, { outcome, ...raw }) => {
    const from = outcome === "returned" ? "settled" : "initiated";
    const isLikely = ({ counterparty, status }: Payment): boolean => counterparty !== null && status === from;
    const payment = choosePlace(payments, raw.payment, { isLikely });
    return payment === null ? null : { payment, outcome };
  },
  expect: simulatePayment,
  act: async ({ platform, accountId, payments }, { payment, outcome }) => {
    const own = { id: payments[payment] ?? "", accountId };
    await platform.inAccount(accountId, ({ orchestra }) => orchestra.payments.simulate({ ...own, outcome }));
  },
};

export const paymentSteps: WeightedStep[] = [
  weighted(5, toWallet),
  weighted(13, toCounterparty),
  weighted(4, cancel),
  weighted(6, simulate),
];
