import { presentNetwork } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listNetworks: OperationHandler<"listNetworks"> = answerPage(
  (query, { custody }) => custody.networks.list(query),
  presentNetwork,
);
