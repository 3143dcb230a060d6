import type { Schemas } from "@gateway/contract";
import { rejectionReasons } from "./kyc-rules.ts";
import type { KycVerification } from "./kyc-row.ts";

/** Without personal data, for responses and events alike. */
export function presentKycVerification(verification: KycVerification): Schemas["KycVerification"] {
  const { rejectionCode } = verification;
  return {
    id: verification.id,
    reference: verification.reference,
    externalId: verification.externalId,
    status: verification.status,
    checks: verification.checks,
    rejectionCode,
    rejectionReason: rejectionCode && rejectionReasons[rejectionCode],
    previousVerificationId: verification.previousVerificationId,
    decidedBy: verification.decidedBy,
    metadata: verification.metadata,
    createdAt: verification.createdAt.toISOString(),
    decidedAt: verification.decidedAt?.toISOString() ?? null,
    validUntil: verification.validUntil?.toISOString() ?? null,
    personalDataDeletedAt: verification.personalDataDeletedAt?.toISOString() ?? null,
  };
}
