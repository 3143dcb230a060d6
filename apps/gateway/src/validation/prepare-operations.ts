import type { OpenApiDocument } from "@gateway/contract";
import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { createAjv } from "./create-ajv.ts";

/** `type` is that of its schema. */
export type Parameter = { name: string; in: "query" | "header" | "path"; type: unknown };

/** An operation of the document with its validators. */
export type PreparedOperation = {
  operationId: string;
  /** Parameters of the operation and of its path. */
  parameters: readonly Parameter[];
  /**
   * Validates `{ query, headers, params, body }` and fills in defaults. Strings of parameters must have been converted.
   */
  checkRequest: (request: object) => RequestVerdict;
  /** Throws when `body` does not fit. The message names places and rules, but no values. */
  checkResponse: (status: number, body: object) => void;
};

/** Null when the request fits. */
type RequestVerdict = readonly ErrorObject[] | null;

type Schema = { type?: unknown };
type DocumentedParameter = Pick<Parameter, "name" | "in"> & { required?: boolean; schema: Schema };
type Content = { content?: Record<string, { schema: Schema }> };
type Documented = {
  operationId: string;
  parameters?: DocumentedParameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};

const methods = ["get", "put", "post", "delete", "patch"] as const;

/** The schemas that are compiled when a request first needs them. Responses are more than half of the work. */
export type AtFirstUse = "nothing" | "responses" | "everything";

/** A mistake in a schema throws where the schema is compiled. */
export function prepareOperations(
  document: OpenApiDocument,
  { atFirstUse = "nothing" }: { atFirstUse?: AtFirstUse } = {},
): PreparedOperation[] {
  const requests = createAjv(document, { allErrors: true, useDefaults: true, verbose: true });
  const responses = createAjv(document, { allErrors: true });
  return documentedOperations(document).map((operation) => {
    const parameters = parametersOf(document, operation);
    return {
      operationId: operation.operationId,
      parameters: parameters.map((one) => ({ ...one, type: resolveReference(document, one.schema).type })),
      checkRequest: compileRequest(requests, requestSchemaOf(parameters, bodySchemaOf(document, operation)), {
        isAtOnce: atFirstUse !== "everything",
      }),
      checkResponse: compileResponses(responses, document, { operation, isAtOnce: atFirstUse === "nothing" }),
    };
  });
}

/** Operations with the parameters of their path in front of their own. */
function documentedOperations({ paths }: OpenApiDocument): Documented[] {
  return Object.values(paths).flatMap((item) =>
    methods.flatMap((method) => {
      // The linter has validated it against the OpenAPI schema.
      const operation = item[method] as Documented | undefined;
      // The linter has validated these too.
      const shared = (item["parameters"] ?? []) as DocumentedParameter[];
      return operation ? [{ ...operation, parameters: [...shared, ...(operation.parameters ?? [])] }] : [];
    }),
  );
}

/** A parameter of the operation replaces that of its path (OpenAPI 3.1.1, 4.8.9.1). */
function parametersOf(document: OpenApiDocument, { parameters = [] }: Documented): DocumentedParameter[] {
  const found = parameters.map((parameter) => resolveReference(document, parameter));
  return [...new Map(found.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()];
}

function bodySchemaOf(document: OpenApiDocument, { operationId, requestBody }: Documented): Schema | null {
  return requestBody ? jsonSchemaOf(document, requestBody, `the body of ${operationId}`) : null;
}

function jsonSchemaOf(document: OpenApiDocument, content: Content, what: string): Schema {
  const schema = resolveReference(document, content).content?.["application/json"]?.schema;
  if (!schema) {
    throw new Error(`The document has no JSON schema of ${what}.`);
  }
  return schema;
}

function requestSchemaOf(parameters: readonly DocumentedParameter[], body: Schema | null): object {
  const of = (place: Parameter["in"], nameOf: (name: string) => string): object => {
    const here = parameters.filter((parameter) => parameter.in === place);
    return {
      type: "object",
      properties: Object.fromEntries(here.map(({ name, schema }) => [nameOf(name), schema])),
      required: here.filter(({ required }) => required).map(({ name }) => nameOf(name)),
    };
  };
  const asWritten = (name: string): string => name;
  return {
    type: "object",
    properties: {
      query: of("query", asWritten),
      // Lower case, because Node spells header names so.
      headers: of("header", (name) => name.toLowerCase()),
      params: of("path", asWritten),
      ...(body && { body }),
    },
    required: body ? ["body"] : [],
  };
}

function compileRequest(ajv: Ajv2020, schema: object, { isAtOnce }: { isAtOnce: boolean }) {
  let compiled = isAtOnce ? ajv.compile(schema) : null;
  return (request: object): RequestVerdict => {
    compiled ??= ajv.compile(schema);
    return compiled(request) ? null : (compiled.errors ?? []);
  };
}

/** All operations share the schemas of refusals, so these are compiled at their first use. */
function compileResponses(
  ajv: Ajv2020,
  document: OpenApiDocument,
  { operation: { operationId, responses }, isAtOnce }: { operation: Documented; isAtOnce: boolean },
): PreparedOperation["checkResponse"] {
  const compile = (status: string): ValidateFunction => {
    const response = responses[status];
    if (!response) {
      throw new Error(`The document does not let ${operationId} answer ${status}.`);
    }
    // ajv keeps what it has compiled, by the schema object.
    return ajv.compile(jsonSchemaOf(document, response, `the response ${status} of ${operationId}`));
  };
  if (isAtOnce) {
    Object.keys(responses).filter(isSuccess).forEach(compile);
  }
  return (status, body) => {
    const schema = compile(String(status));
    if (!schema(body)) {
      const faults = ajv.errorsText(schema.errors, { dataVar: "answer" });
      throw new Error(`A response ${status} of ${operationId} does not fit the document: ${faults}`);
    }
  };
}

function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

/** Follows a local `$ref` (RFC 6901). */
function resolveReference<Kind extends object>(document: OpenApiDocument, value: Kind): Kind {
  if (!("$ref" in value) || typeof value.$ref !== "string") {
    return value;
  }
  const steps = value.$ref.split("/").slice(1);
  // Each step begins at an object of the document, or `?.` ends the walk.
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document);
  if (typeof found !== "object" || found === null) {
    throw new Error(`The document has nothing at ${value.$ref}.`);
  }
  // The linter has checked the kind of the target.
  return resolveReference(document, found as Kind);
}
