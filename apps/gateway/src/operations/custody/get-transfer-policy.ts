import { presentTransferPolicy } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";

export const getTransferPolicy: OperationHandler<"getTransferPolicy"> = async ({ principal, deps }) => ({
  status: 200,
  data: presentTransferPolicy(await deps.custody.transferPolicies.get(principal.accountId)),
});
