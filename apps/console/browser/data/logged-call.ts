import type { Schemas } from "gateway-api-client";
import type { OperationId, OperationRow } from "./calls.ts";

export type LoggedRequest = Schemas["RequestLogDetail"];

type LoggedCall = {
  readonly operationId: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/**
 * The request as a call that repeats it, with the document's example as body. Null when it did not reach an operation.
 */
export function callOfLogged(
  request: Pick<LoggedRequest, "operationId" | "path" | "query">,
  operations: Readonly<Record<string, Pick<OperationRow, "path">>>,
  exampleBody: unknown,
): LoggedCall | null {
  const { operationId, path, query } = request;
  const operation = operationId === null ? undefined : operations[operationId];
  const values = operation && pathValuesOf(operation.path, path);
  if (operation === undefined || !values) {
    return null;
  }
  return {
    // The cast holds because the table has this operation.
    operationId: operationId as OperationId,
    path: values,
    query: Object.fromEntries(new URLSearchParams(query ?? "")),
    ...(exampleBody !== undefined && { body: exampleBody }),
  };
}

/** `{ walletId: "wal_…" }` for `/wallets/{walletId}` and a path, decoded. Null when the path does not match. */
export function pathValuesOf(template: string, path: string): Record<string, string> | null {
  const [steps, found] = [template.split("/"), path.split("/")];
  if (steps.length !== found.length) {
    return null;
  }
  const values: Record<string, string> = {};
  for (const [place, step] of steps.entries()) {
    const value = found[place] ?? "";
    const [, name] = /^\{(\w+)\}$/.exec(step) ?? [];
    if (name !== undefined) {
      values[name] = decoded(value);
    } else if (step !== value) {
      return null;
    }
  }
  return values;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The encoding is invalid, so the text stays as received.
    return text;
  }
}
