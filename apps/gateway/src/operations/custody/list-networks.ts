import { presentNetwork } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listNetworks: OperationHandler<"listNetworks"> = answerPage(
  (query, { custody }) => custody.networks.list(query),
  presentNetwork,
);
