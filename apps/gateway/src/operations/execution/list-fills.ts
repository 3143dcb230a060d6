import { presentFill } from "@gateway/platform/execution";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listFills: OperationHandler<"listFills"> = answerPage(
  (query, { execution }) => execution.fills.list(query),
  presentFill,
);
