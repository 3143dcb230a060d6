import { presentKycVerification } from "@gateway/platform/identity";
import { found, initiatorOf, type OperationHandler } from "../operation.ts";

export const decideKycVerification: OperationHandler<"decideKycVerification"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.kycVerificationId, accountId: principal.accountId };
  const decided = { ...own, ...input.body, decidedBy: initiatorOf(principal) };
  const verification = await deps.identity.verifications.decide(decided);
  return { status: 200, data: presentKycVerification(found("identity verification", verification)) };
};
