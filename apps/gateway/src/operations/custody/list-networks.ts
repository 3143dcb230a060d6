import { presentNetwork } from "@gateway/platform/custody";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listNetworks: OperationHandler<"listNetworks"> = answerPage(
  (query, { custody }) => custody.networks.list(query),
  presentNetwork,
);
