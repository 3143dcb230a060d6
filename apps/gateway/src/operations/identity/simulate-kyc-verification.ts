import { presentKycVerification } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchKycVerification } from "./no-such-kyc-verification.ts";

export const simulateKycVerification: OperationHandler<"simulateKycVerification"> = async ({
  input,
  principal,
  deps,
}) => {
  const own = { id: input.path.kycVerificationId, accountId: principal.accountId };
  const verification = await deps.identity.verifications.simulate({ ...own, outcome: input.body.outcome });
  if (!verification) {
    throw noSuchKycVerification();
  }
  return { status: 200, data: presentKycVerification(verification) };
};
