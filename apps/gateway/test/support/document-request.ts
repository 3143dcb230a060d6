import { openapi, operations, type OperationPolicy } from "@gateway/contract";

export const allOperations: readonly OperationPolicy[] = Object.values(operations);

const { paths, components } = openapi();

/** What the document asks with in its first example of the operation. */
export function exampleOf(operation: OperationPolicy): { target: string; body?: unknown } {
  const { parameters = [] } = paths[operation.path] as { parameters?: Reference[] };
  const ids = parameters.map((parameter) => resolve<Parameter>(parameter));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => ids.find((id) => id.name === name)?.example ?? "");
  const query = requiredQueryOf(operation).map(({ name, example }) => `${name}=${encodeURIComponent(example)}`);
  const target = query.length > 0 ? `${path}?${query.join("&")}` : path;
  const media = mediaTypeOf(operation);
  const [example] = Object.values(media?.examples ?? {});
  if (media && !example) {
    throw new Error(`The document has no example of what ${operation.operationId} takes.`);
  }
  return { target, ...(example && { body: resolve<{ value: unknown }>(example).value }) };
}

/** What stands behind the path in every request. */
function requiredQueryOf({ path, method }: OperationPolicy): Parameter[] {
  const { parameters = [] } = (paths[path]?.[method] ?? {}) as { parameters?: Reference[] };
  return parameters
    .map((parameter) => resolve<Parameter>(parameter))
    .filter((parameter) => parameter.in === "query" && parameter.required);
}

/** A target with more in its query. */
export function withQuery(target: string, query: string): string {
  return `${target}${target.includes("?") ? "&" : "?"}${query}`;
}

export type BodySchema = { properties: object; required?: string[]; minProperties?: number };

/** What the document says of the operation's body. */
export function bodySchemaOf(operation: OperationPolicy): BodySchema {
  const media = mediaTypeOf(operation);
  if (!media) {
    throw new Error(`${operation.operationId} takes no body.`);
  }
  return resolve(media.schema);
}

/** Each body is one component, in JSON: the document's own style, and what is otherwise fails here. */
function mediaTypeOf({ path, method }: OperationPolicy): MediaType | undefined {
  const documented = paths[path]?.[method] as
    | { requestBody?: { content: { "application/json": MediaType } } }
    | undefined;
  return documented?.requestBody?.content["application/json"];
}

type MediaType = { schema: Reference; examples?: Record<string, Reference> };
type Reference = { $ref: string };
type Parameter = { name: string; in: string; required?: boolean; example: string };

/** What a reference of the bundled document points to; its reader says what that is. */
function resolve<T>({ $ref }: Reference): T {
  const [, , kind = "", name = ""] = $ref.split("/");
  return components[kind]?.[name] as T;
}

/** The ids in a path: `walletId`. What names a thing of nobody's, such as `symbol` or a round, is none. */
export function idParametersOf({ path }: OperationPolicy): string[] {
  return Array.from(path.matchAll(/\{(?!roundId)(\w+Id)\}/g), (match) => match[1] ?? "");
}
