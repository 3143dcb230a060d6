import { includesPermission, roleFor, type Permission } from "@gateway/contract/permissions";
import { operations, type OperationId, type OperationRow } from "./calls.ts";
import type { SessionInfo } from "./session.ts";

/** Null: they may. Otherwise why not, naming the role that it takes. */
export function whyNot(session: Pick<SessionInfo, "permission" | "role">, operationId: OperationId): string | null {
  const { permission } = operations[operationId];
  return includesPermission(session.permission, permission)
    ? null
    : `Needs the role ${roleFor(permission)}. You are ${session.role}.`;
}

/** Whether this environment has the operation at all. */
export function isHere({ environment }: Pick<SessionInfo, "environment">, operationId: OperationId): boolean {
  return environment === "sandbox" || !operations[operationId].sandboxOnly;
}

/** The operations that a permission opens, by service, in the order of the document. */
export function listOpened(permission: Permission): { operationId: OperationId; row: OperationRow }[] {
  // The table has these and no others.
  return (Object.entries(operations) as [OperationId, OperationRow][])
    .filter(([, row]) => includesPermission(permission, row.permission) && !row.personRequired)
    .map(([operationId, row]) => ({ operationId, row }));
}
