import { presentDepositAddress } from "@gateway/platform/custody";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listDepositAddresses: OperationHandler<"listDepositAddresses"> = answerPage(
  (query, { custody }) => custody.depositAddresses.list(query),
  presentDepositAddress,
);
