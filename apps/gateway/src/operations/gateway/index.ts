import { advanceSandboxClock } from "./advance-sandbox-clock.ts";
import { getRequestLog } from "./get-request-log.ts";
import { getSandboxClock } from "./get-sandbox-clock.ts";
import { getUsage } from "./get-usage.ts";
import { listRequestLogs } from "./list-request-logs.ts";
import type { OperationsOf } from "../operation.ts";

export const gatewayOperations = {
  advanceSandboxClock,
  getRequestLog,
  getSandboxClock,
  getUsage,
  listRequestLogs,
} satisfies OperationsOf<"gateway">;
