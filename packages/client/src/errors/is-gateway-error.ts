import type { CallErrorCodes } from "../generated/error-codes.ts";
import { GatewayError, type ErrorCodeOf, type KnownErrorCode } from "./gateway-error.ts";

/**
 * Whether a call failed, and with this code when one is given: `isGatewayError(error, "WEBHOOK_LIMIT_REACHED")`. With
 * the name of the call behind it, a code that this call never fails with does not compile. A code that is newer than
 * the client is compared by hand: `error.code === "..."`.
 */
export function isGatewayError(error: unknown): error is GatewayError;
export function isGatewayError<Code extends KnownErrorCode>(error: unknown, code: Code): error is GatewayError<Code>;
export function isGatewayError<Call extends keyof CallErrorCodes, Code extends ErrorCodeOf<Call>>(
  error: unknown,
  code: Code,
  call: Call,
): error is GatewayError<Code>;
export function isGatewayError(error: unknown, code?: KnownErrorCode): error is GatewayError {
  return error instanceof GatewayError && (code === undefined || error.code === code);
}
