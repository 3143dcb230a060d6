import { presentDepositAddress } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listDepositAddresses: OperationHandler<"listDepositAddresses"> = answerPage(
  (query, { custody }) => custody.depositAddresses.list(query),
  presentDepositAddress,
);
