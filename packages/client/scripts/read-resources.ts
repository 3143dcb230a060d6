import { openapi, operations, type OperationPolicy } from "@gateway/contract";

/** A method of a resource: `client.webhooks.rollSecret(webhookId, body?)`. */
export type ResourceMethod = {
  resource: string;
  name: string;
  policy: OperationPolicy;
  ids: readonly string[];
  takes: "body" | "query" | "list" | null;
  body: string | null;
  /** The name of the schema of its data, or of one of the list. */
  result: string;
  /** The body of a POST is optional when all its fields are. A PATCH without a body would change nothing. */
  isBodyOptional: boolean;
  isQueryRequired: boolean;
  summary: string;
  description: string;
};

export type Resource = { name: string; methods: readonly ResourceMethod[] };

type Schema = {
  $ref?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
};
type Parameter = { $ref?: string; in?: string; required?: boolean };
type Operation = {
  "x-client": string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: Record<string, { content: { "application/json": { schema: Schema } } }>;
};

const document = openapi();

/** The operations by the resource that their `x-client` names, in the document's order. */
export function readResources(): Resource[] {
  const methods = Object.values(operations).map(readMethod);
  return Array.from(
    Map.groupBy(methods, ({ resource }) => resource),
    ([name, found]) => ({ name, methods: found }),
  );
}

function readMethod(policy: OperationPolicy): ResourceMethod {
  // The operations were read from the same document, and its lint rules require this shape.
  const operation = document.paths[policy.path]?.[policy.method] as Operation;
  const [, resource = "", name = ""] = /^(.+)\.(\w+)$/.exec(operation["x-client"]) ?? [];
  const body = operation.requestBody?.content["application/json"].schema;
  return {
    resource,
    name,
    policy,
    ids: idsOf(policy),
    takes: takenBy(policy, operation),
    body: body ? nameOf(body) : null,
    result: resultOf(policy, operation),
    isBodyOptional: policy.method === "post" && body !== undefined && (resolve(body).required ?? []).length === 0,
    isQueryRequired: (operation.parameters ?? [])
      .map((parameter) => resolve(parameter))
      .some((parameter) => parameter.in === "query" && parameter.required),
    summary: operation.summary,
    description: operation.description,
  };
}

function takenBy(policy: OperationPolicy, operation: Operation): ResourceMethod["takes"] {
  const places = (operation.parameters ?? []).map((parameter) => resolve(parameter).in);
  if (policy.hasBody) {
    return "body";
  }
  if (isList(policy, operation)) {
    return "list";
  }
  return places.includes("query") ? "query" : null;
}

function isList(policy: OperationPolicy, operation: Operation): boolean {
  const meta = resolve(envelopeOf(policy, operation)["meta"] ?? {});
  return meta.properties?.["nextCursor"] !== undefined;
}

function resultOf(policy: OperationPolicy, operation: Operation): string {
  const data = envelopeOf(policy, operation)["data"] ?? {};
  return nameOf(data.items ?? data);
}

function envelopeOf({ success }: OperationPolicy, { responses }: Operation): Record<string, Schema> {
  return resolve(responses[success]?.content["application/json"].schema ?? {}).properties ?? {};
}

/** The name of a component. Every input and result of an operation has a name in the document. */
function nameOf({ $ref = "" }: Schema): string {
  return $ref.replace("#/components/schemas/", "");
}

function resolve<Found extends { $ref?: string }>(found: Found): Found {
  const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(found.$ref ?? "") ?? [];
  // A reference of a kind points to a component of that kind.
  return found.$ref === undefined ? found : (document.components[kind]?.[name] as Found);
}

function idsOf({ path }: OperationPolicy): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
}
