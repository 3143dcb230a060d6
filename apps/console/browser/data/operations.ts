import { operations as table } from "virtual:operations";
import type { OperationPolicy } from "@gateway/contract";
import type { OperationTypes } from "gateway-api-client";

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

export type OperationId = keyof OperationTypes;

/** A row of the contract's table, with the columns that the page shows or enforces. */
export type OperationRow = { readonly summary: string } & Pick<
  OperationPolicy,
  | ("method" | "path" | "service" | "permission" | "sandboxOnly")
  | ("idempotencyKey" | "personRequired" | "freshSignInSeconds")
>;
