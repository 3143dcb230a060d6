import type { OperationRow } from "../../data/calls.ts";

const endsSomething = /^(?:approve|cancel|close|decide|disable|freeze|reject|replace|reverse|revoke|roll)[A-Z]/;

/** Whether an operation takes something away, or decides for good: one more press is asked for, as on the screens. */
export function isDestructive(operationId: string, { method }: Pick<OperationRow, "method">): boolean {
  return method === "delete" || endsSomething.test(operationId);
}
