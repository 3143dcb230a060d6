import { presentKycVerification } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchKycVerification } from "./no-such-kyc-verification.ts";

/** Deleting twice succeeds: a client that lost our first answer must be able to ask again. */
export const deleteKycPersonalData: OperationHandler<"deleteKycPersonalData"> = async ({ input, principal, deps }) => {
  const own = { id: input.path.kycVerificationId, accountId: principal.accountId };
  const verification = await deps.identity.verifications.deletePersonalData(own);
  if (!verification) {
    throw noSuchKycVerification();
  }
  return { status: 200, data: presentKycVerification(verification) };
};
