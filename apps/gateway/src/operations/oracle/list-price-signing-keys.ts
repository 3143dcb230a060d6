import { presentPriceSigningKey } from "@gateway/platform/oracle";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listPriceSigningKeys: OperationHandler<"listPriceSigningKeys"> = answerPage(
  (query, { oracle }) => oracle.signingKeys.list(query),
  presentPriceSigningKey,
);
