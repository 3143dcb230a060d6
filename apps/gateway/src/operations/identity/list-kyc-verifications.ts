import { presentKycVerification } from "@gateway/platform/identity";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listKycVerifications: OperationHandler<"listKycVerifications"> = answerPage(
  (query, { identity }) => identity.verifications.list(query),
  presentKycVerification,
);
