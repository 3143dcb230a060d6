import type { Schemas } from "@gateway/contract";
import type { Counterparty } from "./counterparty.ts";

export function presentCounterparty(counterparty: Counterparty): Schemas["Counterparty"] {
  return {
    id: counterparty.id,
    name: counterparty.name,
    currency: counterparty.currency,
    accountNumberLast4: counterparty.accountNumberLast4,
    kycVerificationId: counterparty.kycVerificationId,
    externalId: counterparty.externalId,
    metadata: counterparty.metadata,
    archivedAt: counterparty.archivedAt?.toISOString() ?? null,
    createdAt: counterparty.createdAt.toISOString(),
  };
}
