import type { Schemas } from "@gateway/contract";
import { decimalPlaces, formatDecimal } from "@gateway/kernel";
import { complianceThreshold } from "../ledger/index.ts";
import type { Payment } from "./payment.ts";
import type { PaymentFailureCode } from "./tables.ts";

const reasons: Readonly<Record<PaymentFailureCode, (payment: Payment) => string>> = {
  insufficient_funds: (payment) =>
    `The wallet has less available than the amount and the fee, ${sayAmount(payment, payment.amountMinor)} and ${sayAmount(payment, payment.feeMinor)}.`,
  compliance_block: describeStop,
  rail_refused: () => "The receiving bank refused it, such as for an account that it does not know.",
  expired: () => "The receiving side did not report an outcome in time, and took the payment back.",
  canceled: () => "You canceled it before it was sent.",
};

/** The rule, and the numbers that it was applied to. They are unknown for payments from before they were kept. */
function describeStop(payment: Payment): string {
  const threshold = sayAmount(payment, complianceThreshold[payment.currency]);
  const rule = `A counterparty needs a valid verification when its account number gets ${threshold} or more in 24 hours.`;
  const { complianceSumMinor: sum, amountMinor: amount } = payment;
  if (sum === null) {
    return rule;
  }
  return sum === amount
    ? `${rule} This payment is ${sayAmount(payment, amount)}.`
    : `${rule} This payment of ${sayAmount(payment, amount)} makes the sum ${sayAmount(payment, sum)}.`;
}

/** `1,250.00 EUR`. */
function sayAmount({ currency }: Payment, amountMinor: number): string {
  const [whole = "", ...places] = formatDecimal(BigInt(amountMinor), decimalPlaces[currency]).split(".");
  return `${[whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ","), ...places].join(".")} ${currency}`;
}

export function presentPayment(payment: Payment): Schemas["Payment"] {
  const { amountMinor, feeMinor, returnedMinor, failureCode } = payment;
  return {
    id: payment.id,
    walletId: payment.walletId,
    amount: amountMinor,
    currency: payment.currency,
    destination: payment.destination,
    rail: payment.rail,
    fee: feeMinor,
    status: payment.status,
    failureCode,
    failureReason: failureCode && reasons[failureCode](payment),
    returnedAmount: returnedMinor,
    externalId: payment.externalId,
    metadata: payment.metadata,
    submittedAt: payment.submittedAt?.toISOString() ?? null,
    settledAt: payment.settledAt?.toISOString() ?? null,
    failedAt: payment.failedAt?.toISOString() ?? null,
    createdAt: payment.createdAt.toISOString(),
  };
}
