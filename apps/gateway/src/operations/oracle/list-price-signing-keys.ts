import { presentPriceSigningKey } from "@gateway/platform/oracle";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listPriceSigningKeys: OperationHandler<"listPriceSigningKeys"> = answerPage(
  (query, { oracle }) => oracle.signingKeys.list(query),
  presentPriceSigningKey,
);
