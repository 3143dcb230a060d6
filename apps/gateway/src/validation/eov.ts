/**
 * The only file that reaches into express-openapi-validator, pinned to 5.6.2 (docs/adr/0003). The package has no `exports` map, so
 * these paths are open, but they are not its public interface: the tests beside prove them at every upgrade.
 */
import type { ErrorObject } from "ajv";
import { AjvOptions } from "express-openapi-validator/dist/framework/ajv/options.js";
import type { NormalizedOpenApiValidatorOpts, OpenAPIV3 } from "express-openapi-validator/dist/framework/types.js";
import { RequestValidator } from "express-openapi-validator/dist/middlewares/openapi.request.validator.js";
import { ResponseValidator } from "express-openapi-validator/dist/middlewares/openapi.response.validator.js";
import { SchemaPreprocessor } from "express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js";

export type Parameter = { name: string; in: string; schema?: { type?: unknown } };

/** A schema that ajv has compiled: false means that `errors` tells why. Fills defaults and converts parameters in place. */
export type CompiledSchema = ((data: object) => unknown) & { errors?: ErrorObject[] | null };

/** One operation of the document, its `$ref`s resolved, with what validates it. */
export type PreparedOperation = {
  operationId: string;
  /** Of the operation and of its path. */
  parameters: readonly Parameter[];
  /** Reads `{ query, headers, params }`. */
  parameterSchema: CompiledSchema;
  /** Reads `{ body }`. */
  bodySchema: CompiledSchema;
  /** Throws when `body` does not fit what the document says for `status`. */
  checkResponse: (status: number, body: object) => void;
};

type ApiDocument = OpenAPIV3.DocumentV3 | OpenAPIV3.DocumentV3_1;
const methods = ["get", "put", "post", "delete", "patch"] as const;

/**
 * What EOV's middleware does at its first requests, done once: preprocess the document, compile every operation's schemas. A mistake
 * in the document stops the start instead of a request. The document must be bundled (local `$ref`s only).
 *
 * EOV compiles each operation together with a copy of all paths and components, and each copy of a component anew. Here a component
 * is compiled once, under a name of its own, and the validators find an empty document: for 24 operations 0.15 s instead of 0.45 s.
 */
export function prepareOperations(document: object): PreparedOperation[] {
  const options = new AjvOptions(normalisedOptions());
  const { apiDoc, apiDocRes } = preprocess(document, options);
  const operations = takeOperations(apiDoc, apiDocRes);
  const requestSchemas = takeSchemas(apiDoc);
  const responseSchemas = takeSchemas(apiDocRes);
  const requests = new RequestValidator(apiDoc, options.request);
  const responses = new ResponseValidator(apiDocRes, options.response, {}, 0);
  // Private in their types only; what is missing is found here, at the start.
  const { ajv, ajvBody } = requests as unknown as RequestInternals;
  addSchemas(ajv, requestSchemas);
  addSchemas(ajvBody, requestSchemas);
  addSchemas((responses as unknown as ResponseInternals).ajvBody, responseSchemas);
  return operations.map(({ operationId, parameters, request, response }) => ({
    operationId,
    parameters,
    ...compileRequest(requests, request),
    checkResponse: compileResponse(responses, response),
  }));
}

/** What EOV keeps private and we take, by the names of 5.6.2. */
type PreprocessorInternals = { resolvedSchemaCache: Map<string, object> };
type SchemaStore = {
  addSchema(schema: object, key: string): unknown;
  getSchema(key: string): CompiledSchema | undefined;
};
type RequestInternals = { ajv: SchemaStore; ajvBody: SchemaStore };
type ResponseInternals = { ajvBody: SchemaStore };

type Preprocessed = { apiDoc: ApiDocument; apiDocRes: ApiDocument };

/** EOV's two readings of the document, for requests and for answers. Both are copies, free to be changed. */
function preprocess(document: object, options: AjvOptions): Preprocessed {
  // It has this shape: the linter has held it against the OpenAPI schema.
  const copy = structuredClone(document) as OpenAPIV3.DocumentV3_1;
  const preprocessor = new SchemaPreprocessor(copy, options.preprocessor, {});
  // EOV would find what a `$ref` names by compiling it.
  const { resolvedSchemaCache } = preprocessor as unknown as PreprocessorInternals;
  for (const [kind, components] of Object.entries(copy.components ?? {})) {
    for (const [name, component] of Object.entries<object>(components)) {
      resolvedSchemaCache.set(`#/components/${kind}/${name}`, component);
    }
  }
  return preprocessor.preProcess();
}

type OperationKey = { method: string; path: string; operation: OpenAPIV3.OperationObject };

/** `request` and `response` are the operation in each of the two readings. */
type TakenOperation = Pick<PreparedOperation, "operationId" | "parameters"> & {
  request: OperationKey;
  response: OperationKey;
};

/** Every operation, with no `$ref` left but to schemas. */
function takeOperations(apiDoc: ApiDocument, apiDocRes: ApiDocument): TakenOperation[] {
  const taken: TakenOperation[] = [];
  for (const [path, item] of Object.entries(apiDoc.paths ?? {})) {
    for (const method of methods) {
      const request = item[method];
      const response = apiDocRes.paths?.[path]?.[method];
      if (request?.operationId && response) {
        const key = { method: method.toUpperCase(), path };
        // The linter has held parameters against the OpenAPI schema; EOV's types leave them open.
        const parameters = (request.parameters ?? []).map(
          (parameter) => resolveReference(apiDoc, parameter) as OpenAPIV3.ParameterObject,
        );
        taken.push({
          operationId: request.operationId,
          parameters: parameters.map((parameter) => describeParameter(apiDoc, parameter)),
          request: { ...key, operation: { ...request, parameters } },
          response: { ...key, operation: response },
        });
      }
    }
  }
  return taken;
}

/** The component schemas, which now refer to each other by name, as the operations do. Leaves the document empty. */
function takeSchemas(apiDoc: ApiDocument): ReadonlyMap<string, object> {
  nameReferences(apiDoc, new Set());
  const schemas = Object.entries<object>(apiDoc.components?.schemas ?? {});
  Object.assign(apiDoc, { paths: {}, components: {} });
  return new Map(schemas.map(([name, schema]) => [`schema:${name}`, schema]));
}

/** A `$ref` that begins with `#` means a place in the schema that holds it; one like a URL is looked up among all that ajv knows. */
function nameReferences(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== "object" || value === null || seen.has(value)) {
    return;
  }
  seen.add(value);
  if ("$ref" in value && typeof value.$ref === "string") {
    value.$ref = value.$ref.replace("#/components/schemas/", "schema:");
  }
  for (const part of Object.values(value)) {
    nameReferences(part, seen);
  }
}

function addSchemas(ajv: SchemaStore, schemas: ReadonlyMap<string, object>): void {
  for (const [name, schema] of schemas) {
    ajv.addSchema(schema, name);
  }
}

function normalisedOptions(): NormalizedOpenApiValidatorOpts {
  return {
    apiSpec: "",
    validateApiSpec: false,
    validateRequests: { allowUnknownQueryParameters: false, coerceTypes: false, allErrors: true },
    validateResponses: { coerceTypes: false, removeAdditional: false, allErrors: true },
    validateSecurity: false,
    fileUploader: false,
    operationHandlers: false,
    $refParser: { mode: "bundle" },
    formats: {},
    validateFormats: true,
    // "fast" takes the 30th of February for a date.
    ajvFormats: { mode: "full" },
    // Answers are plain JSON when they are checked, so no Date needs a serializer.
    serDes: [],
  };
}

/** Has EOV compile this operation, by a first request that need not be valid, and takes the schemas out of its cache. */
function compileRequest(
  requests: RequestValidator,
  { method, path, operation }: OperationKey,
): Pick<PreparedOperation, "parameterSchema" | "bodySchema"> {
  const contentType = operation.requestBody ? "application/json" : undefined;
  const first = {
    method,
    originalUrl: path,
    path,
    query: {},
    params: {},
    headers: contentType === undefined ? {} : { "content-type": contentType },
    openapi: { expressRoute: path, openApiRoute: path, schema: operation, serial: 0, pathParams: {} },
  };
  try {
    // `validate` reads these fields of an Express request and no other.
    void requests.validate(first as never, undefined as never, () => {});
  } catch (error) {
    if (!(error instanceof Error && "status" in error && error.status === 400)) {
      throw error;
    }
  }
  const { ajv, ajvBody } = requests as unknown as RequestInternals;
  const key = `${method}-${path}-${contentType ?? "not_provided"}`;
  const parameterSchema = ajv.getSchema(key);
  const bodySchema = ajvBody.getSchema(key);
  if (!parameterSchema || !bodySchema) {
    throw new Error(`express-openapi-validator has no compiled schema for ${key}: has its version changed?`);
  }
  return { parameterSchema, bodySchema };
}

/**
 * Answers of success are compiled at the start. Refusals are written in one place for all operations, and only tests hold them against
 * the document: they are compiled at the first look, for there are eight of them to one answer of success.
 */
function compileResponse(
  responses: ResponseValidator,
  { method, path, operation }: OperationKey,
): PreparedOperation["checkResponse"] {
  const compile = (isForSuccess: boolean) => {
    const wanted = Object.entries(operation.responses ?? {}).filter(([status]) => isSuccess(status) === isForSuccess);
    // EOV reads these fields for the key of its cache, and no other.
    const keyed = { method: `${method} ${isForSuccess}`, headers: {}, openapi: { expressRoute: path } };
    return responses._getOrBuildValidator(keyed as never, Object.fromEntries(wanted));
  };
  const successes = compile(true);
  const accepts = ["application/json"];
  return (statusCode, body) => {
    // EOV keeps what it compiled.
    const validators = isSuccess(String(statusCode)) ? successes : compile(false);
    responses._validate({ validators, body, statusCode, path, accepts });
  };
}

function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

function describeParameter(apiDoc: ApiDocument, { name, in: place, schema }: OpenAPIV3.ParameterObject): Parameter {
  return schema ? { name, in: place, schema: resolveReference(apiDoc, schema) } : { name, in: place };
}

/** Follows a local `$ref` (RFC 6901 pointer in a fragment) to what it names. */
function resolveReference(apiDoc: ApiDocument, value: object): object {
  if (!("$ref" in value) || typeof value.$ref !== "string") {
    return value;
  }
  const steps = value.$ref.split("/").slice(1);
  const found = steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], apiDoc);
  if (typeof found !== "object" || found === null) {
    throw new Error(`The document has nothing at ${value.$ref}.`);
  }
  return resolveReference(apiDoc, found);
}
