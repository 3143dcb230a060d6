import { presentKycVerification } from "@gateway/platform/identity";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listKycVerifications: OperationHandler<"listKycVerifications"> = answerPage(
  (query, { identity }) => identity.verifications.list(query),
  presentKycVerification,
);
