import { presentKycVerification } from "@gateway/platform/identity";
import { found, type OperationHandler } from "../operation.ts";

/** A reason may reveal personal data, so only callers with the permission to decide get it. */
export const getKycVerification: OperationHandler<"getKycVerification"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.kycVerificationId, accountId: principal.accountId };
  const looked = await deps.identity.verifications.getWithReason(own);
  const { verification, reason } = found("identity verification", looked);
  const decisionReason = principal.permission === "admin" ? reason : null;
  return { status: 200, data: { ...presentKycVerification(verification), decisionReason } };
};
