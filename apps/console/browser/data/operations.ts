import { operations as table } from "virtual:operations";
import type { OperationId, OperationRow } from "./operation-row.ts";

/** Every operation of the document. What the build writes has this shape (src/build/contract-modules.ts). */
export const operations = table as Readonly<Record<OperationId, OperationRow>>;

export function isOperationId(text: string): text is OperationId {
  return Object.hasOwn(operations, text);
}

/** The path of an operation on one thing, whose id is the only value in it. */
export function pathOf(operationId: OperationId, id: string): Readonly<Record<string, string>> {
  const [, name = ""] = /\{(\w+)\}/.exec(operations[operationId].path) ?? [];
  return { [name]: id };
}
