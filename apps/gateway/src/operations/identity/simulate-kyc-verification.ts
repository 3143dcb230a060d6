import { presentKycVerification } from "@gateway/platform/identity";
import { answerOne, type OperationHandler } from "../operation.ts";

export const simulateKycVerification: OperationHandler<"simulateKycVerification"> = answerOne(
  "identity verification",
  ({ accountId, kycVerificationId: id }, { identity }, { body: { outcome } }) =>
    identity.verifications.simulate({ accountId, id, outcome }),
  presentKycVerification,
);
