import { openapi, operations, type OperationPolicy } from "@gateway/contract";

/** A method of a resource: `client.webhooks.rollSecret(webhookId, body?)`. */
export type ResourceMethod = {
  resource: string;
  name: string;
  policy: OperationPolicy;
  /** The ids in the path, in its order. */
  ids: readonly string[];
  takes: "body" | "query" | "list" | null;
  /** The body of a POST of which every field may be left out may be left out itself. A PATCH without one would say nothing. */
  isBodyOptional: boolean;
  summary: string;
  description: string;
};

export type Resource = { name: string; methods: readonly ResourceMethod[] };

type Schema = { $ref?: string; required?: string[]; properties?: Record<string, Schema>; type?: string };
type Parameter = { $ref?: string; in?: string };
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
  // The operations were read from the same document, whose lint rules hold each to this shape.
  const operation = document.paths[policy.path]?.[policy.method] as Operation;
  const [resource = "", name = ""] = operation["x-client"].split(".");
  const bodySchema = operation.requestBody && resolve(operation.requestBody.content["application/json"].schema);
  return {
    resource,
    name,
    policy,
    ids: idsOf(policy),
    takes: takenBy(policy, operation),
    isBodyOptional: policy.method === "post" && bodySchema !== undefined && (bodySchema.required ?? []).length === 0,
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

function isList({ success }: OperationPolicy, { responses }: Operation): boolean {
  const envelope = resolve(responses[success]?.content["application/json"].schema ?? {});
  const meta = resolve(envelope.properties?.["meta"] ?? {});
  return meta.properties?.["nextCursor"] !== undefined;
}

/** Follows a reference into the components. */
function resolve<Found extends { $ref?: string }>(found: Found): Found {
  const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(found.$ref ?? "") ?? [];
  // What a reference of a kind points to is of that kind.
  return found.$ref === undefined ? found : (document.components[kind]?.[name] as Found);
}

function idsOf({ path }: OperationPolicy): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
}
