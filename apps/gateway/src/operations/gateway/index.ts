export { advanceSandboxClock } from "./advance-sandbox-clock.ts";
export { getRequestLog } from "./get-request-log.ts";
export { getSandboxClock } from "./get-sandbox-clock.ts";
export { getUsage } from "./get-usage.ts";
export { listRequestLogs } from "./list-request-logs.ts";
