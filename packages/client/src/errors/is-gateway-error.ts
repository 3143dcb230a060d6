import type { ErrorCode } from "./gateway-error.ts";
import { GatewayError } from "./gateway-error.ts";

/** Whether a call failed, and with this code when one is given: `isGatewayError(error, "WEBHOOK_LIMIT_REACHED")`. */
export function isGatewayError(error: unknown, code?: ErrorCode): error is GatewayError {
  return error instanceof GatewayError && (code === undefined || error.code === code);
}
