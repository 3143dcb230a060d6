import { notifyOfPolicy } from "@gateway/platform/acts/notify-owners";
import { presentTransferPolicy } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";

export const replaceTransferPolicy: OperationHandler<"replaceTransferPolicy"> = async (call) => {
  const { input, principal, deps } = call;
  const { accountId } = principal;
  const policy = await deps.custody.transferPolicies.replace({ accountId, ...input.body });
  await notifyOfPolicy(deps, call);
  return { status: 200, data: presentTransferPolicy(policy) };
};
