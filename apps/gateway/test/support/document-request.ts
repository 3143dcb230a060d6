import { openapi, operations, type OperationPolicy } from "@gateway/contract";
import { requestSchemaOf, type Schema } from "./requests/request-schema.ts";

export const allOperations: readonly OperationPolicy[] = Object.values(operations);

const document = openapi();

/** The request in the document's first example of the operation. */
export function exampleOf(operation: OperationPolicy): { target: string; body?: unknown } {
  const { parameters, body, examples } = requestSchemaOf(document, operation);
  const exampleNamed = (name: string) => parameters.find((one) => one.in === "path" && one.name === name)?.example;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(exampleNamed(name) ?? ""));
  // Required parameters are part of every request.
  const query = parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`);
  const target = query.length > 0 ? `${path}?${query.join("&")}` : path;
  if (body && examples.length === 0) {
    throw new Error(`The document has no example of what ${operation.operationId} takes.`);
  }
  return { target, ...(body && { body: examples[0] }) };
}

/** A target with more in its query. */
export function withQuery(target: string, query: string): string {
  return `${target}${target.includes("?") ? "&" : "?"}${query}`;
}

/** The document's schema of the operation's body. */
export function bodySchemaOf(operation: OperationPolicy): Schema & { properties: object } {
  const { body, resolve } = requestSchemaOf(document, operation);
  const { properties, ...schema } = resolve(body ?? {});
  if (!properties) {
    throw new Error(`${operation.operationId} takes no body.`);
  }
  return { ...schema, properties };
}

export function queryNamesOf(operation: OperationPolicy): string[] {
  return requestSchemaOf(document, operation).parameters.flatMap((one) => (one.in === "query" ? one.name : []));
}

/** The ids in a path: `walletId`. Names of resources without an account, such as `symbol` or a round, are left out. */
export function idParametersOf({ path }: OperationPolicy): string[] {
  return Array.from(path.matchAll(/\{(?!roundId)(\w+Id)\}/g), (match) => match[1] ?? "");
}
