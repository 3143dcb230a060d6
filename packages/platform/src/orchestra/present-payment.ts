import type { Schemas } from "@gateway/contract";
import type { Payment, PaymentFailureCode } from "./payment.ts";

const reasons: Readonly<Record<PaymentFailureCode, string>> = {
  insufficient_funds: "The wallet has less available than the amount and the fee.",
  compliance_block: "Payments of this size need a valid verification of the counterparty.",
  rail_refused: "The receiving bank refused it, such as for an account that it does not know.",
  expired: "The receiving side did not say in time what became of it, and took it back.",
  canceled: "You canceled it before it was sent.",
};

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
    failureReason: failureCode && reasons[failureCode],
    returnedAmount: returnedMinor,
    externalId: payment.externalId,
    metadata: payment.metadata,
    submittedAt: payment.submittedAt?.toISOString() ?? null,
    settledAt: payment.settledAt?.toISOString() ?? null,
    failedAt: payment.failedAt?.toISOString() ?? null,
    createdAt: payment.createdAt.toISOString(),
  };
}
