import { presentKycVerification } from "@gateway/platform/identity";
import { answerOne, type OperationHandler } from "../operation.ts";

/** Deleting twice succeeds: a client that lost the first response must be able to ask again. */
export const deleteKycPersonalData: OperationHandler<"deleteKycPersonalData"> = answerOne(
  "identity verification",
  ({ accountId, kycVerificationId: id }, { identity }) => identity.verifications.deletePersonalData({ accountId, id }),
  presentKycVerification,
);
