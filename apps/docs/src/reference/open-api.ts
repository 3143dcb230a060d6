import type { ProblemCode } from "@gateway/contract";

/** The keywords of a JSON Schema that the tables of fields use. */
export type Schema = {
  title?: string;
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: (string | number | null)[];
  "x-extensible"?: boolean;
  const?: string;
  format?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  "x-state-machine"?: StateMachine;
};

/** The states and transitions of a resource. The linter has checked its shape. */
export type StateMachine = { property: string; final: string[]; transitions: Record<string, Transition> };

/** Has one of `by`, `on` and `after`. An event with a question mark does not occur each time. */
export type Transition = {
  from: string[] | null;
  to: string;
  by?: string[];
  on?: string[];
  after?: string;
  when?: string;
  emits?: string[];
};

/** The parts of an OpenAPI document that the site uses. The linter has checked its shape. */
export type OpenApi = {
  info: { title: string; version: string; summary?: string; description?: string };
  servers?: Server[];
  tags?: { name: string; description?: string }[];
  paths?: Record<
    string,
    { "x-service"?: string; "x-sandbox"?: true; servers?: Server[]; parameters?: Parameter[] } & Record<string, unknown>
  >;
  webhooks?: Record<string, WebhookObject>;
  components: Record<string, Record<string, unknown> | undefined>;
};

/** A server with `x-service` has only the paths of that service: its direct address. */
export type Server = {
  url: string;
  description?: string;
  variables?: Record<string, { default: string }>;
  "x-service"?: string;
  "x-sandbox"?: true;
};

/** The linter requires a cause, in a sentence, for each event type that no operation emits. */
export type WebhookObject = { "x-service": string; "x-cause"?: string; post: OperationObject };

export type OperationObject = {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content?: Content };
  responses?: Record<string, ResponseObject>;
  "x-emits"?: string[];
  "x-problems"?: ProblemCode[];
  "x-client"?: string;
  "x-person"?: "required";
  "x-fresh-sign-in"?: number;
};

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
  example?: string;
};
export type ResponseObject = { description?: string; content?: Content };
type Content = Record<string, { schema?: Schema; examples?: Record<string, { summary?: string; value?: unknown }> }>;

/** Returns the target of a reference, or any other value unchanged. */
export function resolve<T extends object>(openapi: OpenApi, value: T): T {
  if (!("$ref" in value) || typeof value.$ref !== "string") {
    return value;
  }
  const { $ref, ...own } = value;
  const [, room = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? [];
  const found = openapi.components[room]?.[name];
  if (typeof found !== "object" || found === null) {
    throw new Error(`The document has no ${$ref}.`);
  }
  // Keywords next to a reference override its target. The target has the same kind as the referring value.
  return { ...resolve(openapi, found), ...own } as T;
}
