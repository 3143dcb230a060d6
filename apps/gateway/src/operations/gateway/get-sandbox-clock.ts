import { presentSandboxClock } from "@gateway/platform/gateway";
import type { OperationHandler } from "../operation.ts";

export const getSandboxClock: OperationHandler<"getSandboxClock"> = async ({ principal, deps }) => ({
  status: 200,
  data: presentSandboxClock(await deps.gateway.sandboxClocks.get(principal.accountId)),
});
