import type { Currency, Money, Payment, Wallet } from "./state.ts";
import { book, itemAt, setAside, type Answer } from "./money.ts";

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** The fate is what the rail does with every payment to this counterparty. */
export type Counterparty = { currency: "EUR" | "USD"; fate: "settled" | "refused" | "returned" | "silent" };

export const counterparties: readonly Counterparty[] = [
  { currency: "EUR", fate: "settled" },
  { currency: "EUR", fate: "refused" },
  { currency: "EUR", fate: "returned" },
  { currency: "EUR", fate: "silent" },
  { currency: "USD", fate: "settled" },
];

/** The fee in minor units and the time that the rail takes, by currency. */
export const rails = { EUR: { fee: 20, takesMs: 10 * second }, USD: { fee: 25, takesMs: 24 * hour } };

const submittedAfterMs = 5 * second;
const returnedAfterMs = hour;
const silentForMs = 7 * day;

/** Payments of this sum within a day need a verified counterparty, and none is verified. */
const threshold = 100_000;

type Paying = { from: number; amount: number };

export function payWallet(money: Money, { from, to, amount }: Paying & { to: number }): Answer {
  const [payer, payee] = [itemAt(money.wallets, from), itemAt(money.wallets, to)];
  if (payer === payee || payer.currency !== payee.currency) {
    return "INVALID_REQUEST";
  }
  if (payer.status !== "active") {
    return "WALLET_NOT_ACTIVE";
  }
  const refusal = book(money, "payment", [
    { wallet: payer, part: "available", amount: -amount },
    { wallet: payee, part: "available", amount },
  ]);
  return begin(money, { ...blank(money, { from, amount }), status: "settled" }, refusal);
}

export function payCounterparty(
  money: Money,
  { from, counterparty, amount }: Paying & { counterparty: number },
): Answer {
  const payer = itemAt(money.wallets, from);
  const { currency } = itemAt(counterparties, counterparty);
  if (payer.currency !== currency) {
    return "INVALID_REQUEST";
  }
  if (payer.status !== "active") {
    return "WALLET_NOT_ACTIVE";
  }
  const { fee } = rails[currency];
  const payment = { ...blank(money, { from, amount }), counterparty, fee };
  if (amount + paidWithinDay(money, counterparty) >= threshold) {
    money.payments.push({ ...payment, status: "failed", failure: "compliance_block" });
    return "done";
  }
  return begin(money, payment, book(money, "hold", setAside(payer, amount + fee)));
}

/** A shortage of money is not a refusal. The payment exists and has failed. */
function begin(money: Money, payment: Payment, refusal: string | null): Answer {
  if (refusal !== null && refusal !== "INSUFFICIENT_FUNDS") {
    return refusal;
  }
  money.payments.push(refusal ? { ...payment, status: "failed", failure: "insufficient_funds" } : payment);
  return "done";
}

function blank({ nowMs }: Money, { from, amount }: Paying): Payment {
  return {
    ...{ from, amount, counterparty: null, fee: 0, status: "initiated", failure: null, returned: 0 },
    ...{ createdAtMs: nowMs, submittedAtMs: null, outcomeAtMs: null, returnAtMs: null },
  };
}

function paidWithinDay({ payments, nowMs }: Money, counterparty: number): number {
  return payments
    .filter((one) => one.counterparty === counterparty && one.status !== "failed" && one.createdAtMs > nowMs - day)
    .reduce((sum, { amount }) => sum + amount, 0);
}

export function cancelPayment(money: Money, { payment: index }: { payment: number }): Answer {
  const payment = itemAt(money.payments, index);
  if (payment.status !== "initiated" || payment.submittedAtMs !== null) {
    return "INVALID_STATE";
  }
  fail(money, payment, "canceled");
  return "done";
}

export type PaymentOutcome = "settled" | "failed" | "returned";

/** Reports the outcome now. It replaces the planned fact of the rail. */
export function simulatePayment(
  money: Money,
  { payment: index, outcome }: { payment: number; outcome: PaymentOutcome },
): Answer {
  const payment = itemAt(money.payments, index);
  const isPossible =
    outcome === "returned"
      ? payment.status === "settled" && payment.returned < payment.amount
      : payment.status === "initiated";
  if (payment.counterparty === null || !isPossible) {
    return "INVALID_STATE";
  }
  if (outcome === "settled") {
    settle(money, payment);
  } else if (outcome === "failed") {
    fail(money, payment, "rail_refused");
  } else {
    giveBack(money, payment);
  }
  return "done";
}

/** Brings all payments to their state at the account's time. */
export function passPayments(money: Money): void {
  for (const payment of money.payments) {
    submit(money, payment);
    if (isOver(money, payment.outcomeAtMs) && payment.status === "initiated") {
      tellOutcome(money, payment);
    }
    if (isOver(money, payment.returnAtMs) && payment.status === "settled") {
      giveBack(money, payment);
    }
  }
}

function isOver({ nowMs }: Money, atMs: number | null): boolean {
  return atMs !== null && atMs <= nowMs;
}

function submit(money: Money, payment: Payment): void {
  const atMs = payment.createdAtMs + submittedAfterMs;
  if (payment.counterparty === null || payment.status !== "initiated" || payment.submittedAtMs !== null) {
    return;
  }
  if (isOver(money, atMs)) {
    const { currency, fate } = itemAt(counterparties, payment.counterparty);
    payment.submittedAtMs = atMs;
    payment.outcomeAtMs = atMs + (fate === "silent" ? silentForMs : rails[currency].takesMs);
    payment.returnAtMs = fate === "returned" ? payment.outcomeAtMs + returnedAfterMs : null;
  }
}

/** A payment is taken back when its rail does not respond. */
function tellOutcome(money: Money, payment: Payment): void {
  const { fate } = itemAt(counterparties, payment.counterparty ?? 0);
  if (fate === "silent" || fate === "refused") {
    fail(money, payment, fate === "silent" ? "expired" : "rail_refused");
  } else {
    settle(money, payment);
  }
}

function settle(money: Money, payment: Payment): void {
  const wallet = payerOf(money, payment);
  const { amount, fee } = payment;
  const currency: Currency = wallet.currency;
  payment.status = "settled";
  const entries = [
    { wallet, part: "held", amount: -(amount + fee) },
    { clearing: "rail", currency, amount },
    { clearing: "fees", currency, amount: fee },
  ] as const;
  book(money, "payment", entries, { isPromised: true });
}

function fail(money: Money, payment: Payment, failure: string): void {
  payment.status = "failed";
  payment.failure = failure;
  book(money, "release", setAside(payerOf(money, payment), -(payment.amount + payment.fee)), { isPromised: true });
}

/** The fee is not returned. A return arrives once, whether planned or simulated. */
function giveBack(money: Money, payment: Payment): void {
  const wallet = payerOf(money, payment);
  const amount = payment.amount - payment.returned;
  payment.returned = payment.amount;
  payment.returnAtMs = null;
  const entries = [
    { wallet, part: "available", amount },
    { clearing: "rail", currency: wallet.currency, amount: -amount },
  ] as const;
  book(money, "return", entries, { isPromised: true });
}

function payerOf({ wallets }: Money, { from }: Payment): Wallet {
  return itemAt(wallets, from);
}
