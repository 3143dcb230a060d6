import type { OperationPolicy } from "@gateway/contract";
import { allOperations } from "./document-request.ts";

export type OperationClass = { name: string; operation: OperationPolicy };

/**
 * One operation for each combination of what decides who may call: permission, person, fresh sign-in, sandbox, limit
 * store. All operations of a class have the same stages, which `pipeline.txt` shows.
 */
export const operationClasses: readonly OperationClass[] = firstOfEach(allOperations, classOf);

/** The first operation of each service that fits. */
export function firstOfEachService(fits: (operation: OperationPolicy) => boolean): OperationClass[] {
  return firstOfEach(allOperations.filter(fits), ({ service }) => service);
}

/** `admin, person, fresh sign-in`. */
function classOf(operation: OperationPolicy): string {
  return [
    operation.permission,
    ...(operation.personRequired ? ["person"] : []),
    ...(operation.freshSignInSeconds === null ? [] : ["fresh sign-in"]),
    ...(operation.sandboxOnly ? ["sandbox"] : []),
    ...(operation.limitStoreRequired ? ["limit store"] : []),
  ].join(", ");
}

function firstOfEach(
  operations: readonly OperationPolicy[],
  nameOf: (operation: OperationPolicy) => string,
): OperationClass[] {
  return Array.from(Map.groupBy(operations, nameOf), ([name, [first]]) => {
    if (!first) {
      throw new Error("A group has at least one member.");
    }
    return { name, operation: first };
  });
}
