/** A place in the description; `child` goes deeper, `key` points at the name instead of at the value. */
export type Location = {
  source: { absoluteRef: string };
  /** A JSON pointer into the source, with `#` before it. */
  pointer: string;
  child(path: readonly (string | number)[]): Location;
  key(): Location;
};

export type Reference = { $ref: string };

/** The part of Redocly CLI's visitor context that our rules use. */
export type RuleContext = {
  key: string | number;
  location: Location;
  report(problem: { message: string; location?: Location }): void;
  /** Follows a reference as read in the file `from`. A node that is not a reference is returned unchanged. */
  resolve<T>(node: T | Reference, from?: string): { node?: T; location?: Location };
};

export type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema | Reference>;
  required?: string[];
  additionalProperties?: boolean | Schema | Reference;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  "x-issue"?: unknown;
  "x-mistakes"?: unknown;
  "x-state-machine"?: unknown;
  "x-codes"?: Record<string, { status: number }>;
};

type MediaType = { schema?: Schema | Reference; examples?: Record<string, unknown> };

export type RequestBody = { content?: Record<string, MediaType> };

export type Response = {
  description?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
};

export type Parameter = { name: string; in: string; required?: boolean };

export type Server = { url: string; description?: string; "x-service"?: unknown; "x-sandbox"?: unknown };

export type Operation = {
  operationId?: string;
  tags?: string[];
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody | Reference;
  responses?: Record<string, Response | Reference>;
  security?: Record<string, string[]>[];
  "x-client"?: unknown;
  "x-emits"?: unknown;
  "x-fresh-sign-in"?: unknown;
  "x-person"?: unknown;
  "x-permission"?: string;
  "x-problems"?: string[];
};

export type PathItem = {
  parameters?: (Parameter | Reference)[];
  post?: Operation;
  servers?: Server[];
  "x-service"?: unknown;
  "x-sandbox"?: unknown;
  "x-cause"?: unknown;
};

type Webhooks = Record<string, PathItem | Reference>;

type Root = { servers?: Server[]; webhooks?: Webhooks };

export type Parents = { PathItem: PathItem };

/** The visitors of Redocly CLI. Reaching operations by Paths skips webhooks, because the receiver responds there. */
type Visitor = {
  any?: (node: unknown, context: RuleContext) => void;
  Paths?: {
    PathItem?:
      | ((item: PathItem, context: RuleContext) => void)
      | {
          enter?: (item: PathItem, context: RuleContext) => void;
          Operation: (operation: Operation, context: RuleContext, parents: Parents) => void;
        };
  };
  Root?: {
    enter?: (root: Root, context: RuleContext) => void;
    leave?: (root: Root, context: RuleContext) => void;
  };
  WebhooksMap?:
    | ((webhooks: Webhooks, context: RuleContext) => void)
    | { PathItem: (item: PathItem, context: RuleContext) => void };
  MediaType?: (mediaType: MediaType, context: RuleContext) => void;
  Schema?: (schema: Schema, context: RuleContext) => void;
};

export type Rule = () => Visitor;

/** A rule about each operation of the API. */
export function operationRule(check: (operation: Operation, context: RuleContext, parents: Parents) => void): Rule {
  return () => ({ Paths: { PathItem: { Operation: check } } });
}
