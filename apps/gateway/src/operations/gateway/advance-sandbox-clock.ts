import type { OperationHandler } from "../operation.ts";

const advance: OperationHandler<"advanceSandboxClock"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const { nowMs, ...moved } = await deps.gateway.sandboxClocks.advance({ accountId, seconds: input.body.seconds });
  return { status: 200, data: { now: new Date(nowMs).toISOString(), ...moved } };
};

export const advanceSandboxClock = Object.assign(advance, { movesClock: true });
