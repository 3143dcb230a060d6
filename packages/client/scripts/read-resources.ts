import { openapi, operations, type OperationPolicy } from "@gateway/contract";

/** A method of a resource: `client.webhooks.rollSecret(webhookId, body?)`. */
export type ResourceMethod = {
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
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: { content: { "application/json": { schema: Schema } } };
  responses: Record<string, { content: { "application/json": { schema: Schema } } }>;
};

const document = openapi();

/**
 * The operations by the noun that their path begins with. A method is named by the operationId without that noun: `listWallets` is
 * `wallets.list`, `rollWebhookSecret` is `webhooks.rollSecret`. Throws when two would have one name.
 */
export function readResources(): Resource[] {
  const methods = Object.values(operations).map((policy) => ({ noun: nounOf(policy), method: readMethod(policy) }));
  return Array.from(
    Map.groupBy(methods, ({ noun }) => noun),
    ([noun, found]) => {
      const names = found.map(({ method }) => method.name);
      if (new Set(names).size !== names.length) {
        throw new Error(`Two operations of ${noun} would have the same name: ${names.join(", ")}.`);
      }
      return { name: camelCase(noun), methods: found.map(({ method }) => method) };
    },
  );
}

function readMethod(policy: OperationPolicy): ResourceMethod {
  // The operations were read from the same document, whose lint rules hold each to this shape.
  const operation = document.paths[policy.path]?.[policy.method] as Operation;
  const bodySchema = operation.requestBody && resolve(operation.requestBody.content["application/json"].schema);
  return {
    name: methodName(policy),
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

function nounOf({ path }: OperationPolicy): string {
  return path.split("/")[3] ?? "";
}

function idsOf({ path }: OperationPolicy): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
}

/** The noun is in an operationId as the path has it, in the singular, or as its id has it: people, wallet, personId. */
function methodName(policy: OperationPolicy): string {
  const plural = pascalCase(nounOf(policy));
  const ids = Object.values(operations)
    .filter((other) => nounOf(other) === nounOf(policy))
    .flatMap((other) => idsOf(other).slice(0, 1));
  const nouns = [plural, singularOf(plural), ...ids.map((id) => pascalCase(id.replace(/Id$/, "")))];
  // The longest first: OauthApplication before Application.
  const pattern = nouns.toSorted((one, other) => other.length - one.length).join("|");
  return policy.operationId.replace(new RegExp(`(${pattern})(?=[A-Z]|$)`), "");
}

/** As far as it is regular; what is not is found by its id. */
function singularOf(plural: string): string {
  return plural.replace(/ies$/, "y").replace(/s$/, "");
}

function camelCase(text: string): string {
  return text.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

function pascalCase(text: string): string {
  return text.charAt(0).toUpperCase() + camelCase(text).slice(1);
}
