import type {
  Location,
  Operation,
  Parameter,
  PathItem,
  Reference,
  RequestBody,
  Response,
  RuleContext,
  Schema,
} from "./rule.ts";

/** A node with the file that it was read in, which is what its own references are relative to. */
export type Resolved<T> = { node: T; file: string };

export type DeclaredResponse = Resolved<Response> & { status: string; location: Location };

/** The responses of an operation, references followed. `location` is where the operation names the response. */
export function declaredResponses(operation: Operation, context: RuleContext): DeclaredResponse[] {
  return Object.entries(operation.responses ?? {}).flatMap(([status, response]) => {
    const resolved = follow(response, context.location.source.absoluteRef, context);
    const location = context.location.child(["responses", status]);
    return resolved ? [{ ...resolved, status, location }] : [];
  });
}

/** The parameters of an operation and of its path, references followed. */
export function declaredParameters(operation: Operation, pathItem: PathItem, context: RuleContext): Parameter[] {
  const parameters = [...(pathItem.parameters ?? []), ...(operation.parameters ?? [])];
  return parameters.flatMap((parameter) => {
    const resolved = follow(parameter, context.location.source.absoluteRef, context);
    return resolved ? [resolved.node] : [];
  });
}

/** The JSON schema of a request or of a response, or null when it has none. */
export function bodySchema(body: Resolved<RequestBody | Response>, context: RuleContext): Resolved<Schema> | null {
  return follow(body.node.content?.["application/json"]?.schema, body.file, context);
}

/** A property's schema, or null when the schema does not have it. */
export function property(schema: Resolved<Schema> | null, name: string, context: RuleContext): Resolved<Schema> | null {
  return schema && follow(schema.node.properties?.[name], schema.file, context);
}

/** Whether the schema is an object that always has these properties. */
export function hasRequired(schema: Resolved<Schema> | null, names: readonly string[]): boolean {
  return names.every((name) => schema?.node.properties?.[name] !== undefined && schema.node.required?.includes(name));
}

/** A node, or what it refers to; `file` is the one that it was read in. Null when there is nothing. */
export function follow<T>(node: T | Reference | undefined, file: string, context: RuleContext): Resolved<T> | null {
  if (node === undefined) {
    return null;
  }
  const resolved = context.resolve<T>(node, file);
  if (resolved.node === undefined) {
    return null;
  }
  const isReference = typeof node === "object" && node !== null && "$ref" in node;
  return { node: resolved.node, file: isReference ? (resolved.location?.source.absoluteRef ?? file) : file };
}
