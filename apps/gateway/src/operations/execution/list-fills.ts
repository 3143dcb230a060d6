import { presentFill } from "@gateway/platform/execution";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listFills: OperationHandler<"listFills"> = answerPage(
  (query, { execution }) => execution.fills.list(query),
  presentFill,
);
