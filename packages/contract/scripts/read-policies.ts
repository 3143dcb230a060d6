import type { OpenAPI3 } from "openapi-typescript";
import { httpMethods, type OperationPolicy } from "../src/operation-policy.ts";

type Reference = { $ref: string };
type Parameter = { name: string; in: string; schema?: { default?: unknown } };
type BodySchema = { properties?: Record<string, { default?: unknown }> };
type Operation = {
  operationId: string;
  parameters?: (Parameter | Reference)[];
  requestBody?: { content: { "application/json": { schema: BodySchema | Reference } } };
  responses: Record<string, unknown>;
  security: [{ apiKey: [OperationPolicy["permission"]] }, ...unknown[]];
  "x-emits"?: OperationPolicy["emits"];
  "x-problems"?: OperationPolicy["problems"];
  "x-limit-store"?: "required";
  "x-person"?: "required";
  "x-fresh-sign-in"?: number;
};
type PathItem = Record<string, unknown> & {
  parameters?: (Parameter | Reference)[];
  "x-service": string;
  "x-sandbox"?: true;
};

/** Reads the policy of each operation. The lint rules guarantee the shape of the description. */
export function readPolicies(description: OpenAPI3): OperationPolicy[] {
  // The lint rules require this shape of every path.
  const paths = Object.entries((description.paths ?? {}) as unknown as Record<string, PathItem>);
  return paths.flatMap(([path, item]) =>
    httpMethods
      .filter((method) => item[method] !== undefined)
      .map((method) => readPolicy({ description, path, item, method })),
  );
}

type OperationSource = {
  description: OpenAPI3;
  path: string;
  item: PathItem;
  method: OperationPolicy["method"];
};

function readPolicy({ description, path, item, method }: OperationSource): OperationPolicy {
  // The lint rules require this shape of every operation.
  const operation = item[method] as Operation;
  const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
    resolveParameter(description, parameter),
  );
  return {
    operationId: operation.operationId,
    method,
    path,
    service: item["x-service"],
    sandboxOnly: item["x-sandbox"] === true,
    permission: operation.security[0].apiKey[0],
    success: successStatus(operation),
    hasBody: operation.requestBody !== undefined,
    idempotencyKey: parameters.some(({ in: place, name }) => place === "header" && name === "Idempotency-Key"),
    limitStoreRequired: isLimitStoreRequired(operation),
    personRequired: operation["x-person"] !== undefined,
    freshSignInSeconds: operation["x-fresh-sign-in"] ?? null,
    emits: operation["x-emits"] ?? [],
    problems: operation["x-problems"] ?? [],
    queryDefaults: parameters
      .filter((parameter) => parameter.in === "query" && parameter.schema?.default !== undefined)
      .map(({ name }) => name),
    bodyDefaults: bodyDefaults(description, operation),
  };
}

function resolveParameter(description: OpenAPI3, parameter: Parameter | Reference): Parameter {
  if (!("$ref" in parameter)) {
    return parameter;
  }
  const name = parameter.$ref.replace("#/components/parameters/", "");
  const found = description.components?.parameters?.[name];
  if (!found) {
    throw new Error(`There is no parameter ${parameter.$ref} in the description.`);
  }
  // The bundler resolves a component's own references.
  return found as Parameter;
}

function bodyDefaults(description: OpenAPI3, { requestBody }: Operation): string[] {
  const schema = requestBody && resolveSchema(description, requestBody.content["application/json"].schema);
  return Object.entries(schema?.properties ?? {})
    .filter(([, property]) => property.default !== undefined)
    .map(([name]) => name);
}

function resolveSchema(description: OpenAPI3, schema: BodySchema | Reference): BodySchema {
  if (!("$ref" in schema)) {
    return schema;
  }
  const found = description.components?.schemas?.[schema.$ref.replace("#/components/schemas/", "")];
  if (!found) {
    throw new Error(`There is no schema ${schema.$ref} in the description.`);
  }
  // The bundler leaves no other references, and only the properties of the schema are read.
  return found as BodySchema;
}

function successStatus({ operationId, responses }: Operation): 200 | 201 {
  const statuses = Object.keys(responses).filter((status) => status.startsWith("2"));
  if (statuses.length === 1 && (statuses[0] === "200" || statuses[0] === "201")) {
    return statuses[0] === "200" ? 200 : 201;
  }
  throw new Error(`${operationId} must have one success, 200 or 201; it has ${statuses.join(", ") || "none"}.`);
}

function isLimitStoreRequired(operation: Operation): boolean {
  const value = operation["x-limit-store"];
  if (value !== undefined && value !== "required") {
    throw new Error(`x-limit-store of ${operation.operationId} must be "required" or absent; it is ${String(value)}.`);
  }
  return value === "required";
}
