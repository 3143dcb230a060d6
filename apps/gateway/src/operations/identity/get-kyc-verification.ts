import { presentKycVerification } from "@gateway/platform/identity";
import type { OperationHandler } from "../operation.ts";
import { noSuch } from "../no-such.ts";

/** A reason may say something of the person: it is for those who may decide. */
export const getKycVerification: OperationHandler<"getKycVerification"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.kycVerificationId, accountId: principal.accountId };
  const found = await deps.identity.verifications.getWithReason(own);
  if (!found) {
    throw noSuch("identity verification");
  }
  const decisionReason = principal.permission === "admin" ? found.reason : null;
  return { status: 200, data: { ...presentKycVerification(found.verification), decisionReason } };
};
