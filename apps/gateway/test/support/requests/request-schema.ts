import type { OpenApiDocument, OperationPolicy } from "@gateway/contract";

/** A schema of the document, with the keywords that requests use. */
export type Schema = {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  minProperties?: number;
  maxProperties?: number;
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  default?: unknown;
  examples?: unknown[];
};

export type Parameter = {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
  example?: string | number | boolean;
};

/** The document's description of the requests to one operation. */
export type RequestSchema = {
  /** Parameters of the operation and of its path. */
  parameters: readonly Parameter[];
  body: Schema | null;
  /** Bodies that the document gives as examples. */
  examples: readonly unknown[];
  /** Follows a reference. */
  resolve: Resolve;
};

export type Resolve = <Kind extends { $ref?: string }>(value: Kind) => Kind;

type Media = { schema: Schema; examples?: Record<string, { $ref?: string; value?: unknown }> };
type Operation = { parameters?: Parameter[]; requestBody?: { content: { "application/json": Media } } };

export function requestSchemaOf(document: OpenApiDocument, { path, method }: OperationPolicy): RequestSchema {
  // The linter has validated the document against the OpenAPI schema.
  const item = document.paths[path] as { parameters?: Parameter[] } & Record<string, Operation>;
  const { parameters = [], requestBody } = item[method] ?? {};
  const resolve = createResolve(document);
  const media = requestBody?.content["application/json"];
  return {
    parameters: [...(item.parameters ?? []), ...parameters].map(resolve),
    body: media?.schema ?? null,
    examples: Object.values(media?.examples ?? {}).map((example) => resolve(example).value),
    resolve,
  };
}

/**
 * Each reference of the bundled document names a component. Keywords next to it apply as well (JSON Schema 2020-12,
 * 8.2.3.1).
 */
export function createResolve({ components }: OpenApiDocument): Resolve {
  return function resolve<Kind extends { $ref?: string }>(value: Kind): Kind {
    const [, , kind = "", name = ""] = value.$ref?.split("/") ?? [];
    const { $ref: _reference, ...beside } = value;
    // The linter has checked that each reference names a component of the right kind.
    return value.$ref === undefined ? value : ({ ...resolve(components[kind]?.[name] as Kind), ...beside } as Kind);
  };
}
