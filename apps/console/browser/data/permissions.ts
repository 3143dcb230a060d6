import { operations } from "./operations.ts";
import type { OperationId, OperationRow } from "./operation-row.ts";
import type { SessionInfo } from "./session.ts";

type Permission = OperationRow["permission"];

const rank: Readonly<Record<Permission, number>> = { read: 0, write: 1, admin: 2 };
const roleOf: Readonly<Record<Permission, SessionInfo["role"]>> = { read: "viewer", write: "member", admin: "owner" };

/** Null: they may. Otherwise why not, naming the role that it takes. */
export function whyNot(session: Pick<SessionInfo, "permission" | "role">, operationId: OperationId): string | null {
  const { permission } = operations[operationId];
  return rank[session.permission] >= rank[permission]
    ? null
    : `Needs the role ${roleOf[permission]}. You are ${session.role}.`;
}

/** The operations that a permission opens, by service, in the order of the document. */
export function listOpened(permission: Permission): { operationId: OperationId; row: OperationRow }[] {
  return (Object.entries(operations) as [OperationId, OperationRow][])
    .filter(([, row]) => rank[permission] >= rank[row.permission] && !row.needsPerson)
    .map(([operationId, row]) => ({ operationId, row }));
}
