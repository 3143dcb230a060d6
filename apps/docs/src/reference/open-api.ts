import type { ProblemCode } from "@gateway/contract";

/** A JSON Schema as far as the tables of fields look into it. */
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

/** What can become of a thing. The linter has seen to its shape. */
export type StateMachine = { property: string; final: string[]; transitions: Record<string, Transition> };

/** With one of `by`, `on` and `after`; an event with a question mark does not come each time. */
export type Transition = {
  from: string[] | null;
  to: string;
  by?: string[];
  on?: string[];
  after?: string;
  when?: string;
  emits?: string[];
};

/** An OpenAPI document as far as the site looks into it. The linter has seen to its shape. */
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

/** One with `x-service` has the paths of that service alone: its direct address. */
export type Server = {
  url: string;
  description?: string;
  variables?: Record<string, { default: string }>;
  "x-service"?: string;
  "x-sandbox"?: true;
};

/** The linter sees to it that a type of event that no operation emits has its cause, in a sentence. */
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
export type Content = Record<
  string,
  { schema?: Schema; examples?: Record<string, { summary?: string; value?: unknown }> }
>;

/** What a reference names; anything else as it is. */
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
  // What stands beside a reference counts. A reference names a thing of the kind that it stands for.
  return { ...resolve(openapi, found), ...own } as T;
}
