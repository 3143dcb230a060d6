import type { OperationPolicy } from "@gateway/contract";
import type { GatewayObserver } from "../observer.ts";
import type { PreparedOperation } from "../validation/prepare-operations.ts";

/** Throws when the response must not be sent. */
export type CheckResponse = (operation: OperationPolicy, status: number, body: object) => void;

/** Share of production's responses that are validated against the document. */
const productionSample = 0.01;

/**
 * A mismatch is an error in the sandbox. In production a sample is validated, and mismatches are logged and counted.
 */
export function createResponseCheck(deps: {
  operations: readonly PreparedOperation[];
  livemode: boolean;
  observer: Pick<GatewayObserver, "responseMismatched">;
  /** Uniform in [0, 1). */
  random(): number;
}): CheckResponse {
  const checks = new Map(deps.operations.map((operation) => [operation.operationId, operation.checkResponse]));
  const check: CheckResponse = ({ operationId }, status, body) => {
    checks.get(operationId)?.(status, body);
  };
  if (!deps.livemode) {
    return check;
  }
  return (operation, status, body) => {
    if (deps.random() >= productionSample) {
      return;
    }
    try {
      check(operation, status, body);
    } catch (error) {
      deps.observer.responseMismatched(
        operation.operationId,
        error instanceof Error ? error : new Error(String(error)),
      );
    }
  };
}
