import type { OperationsOf } from "../operation.ts";
import { advanceSandboxClock } from "./advance-sandbox-clock.ts";
import { getSandboxClock } from "./get-sandbox-clock.ts";

export const gatewayOperations = {
  advanceSandboxClock,
  getSandboxClock,
} satisfies OperationsOf<"gateway">;
