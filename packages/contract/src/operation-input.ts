import type { operations as policies } from "./generated/operations.ts";
import type { operations } from "./generated/types.ts";
import type { OperationId } from "./operation-id.ts";

/**
 * The input of an operation, once the validator has approved it. It has path parameters, query parameters with their
 * defaults, and the body, if there is one, with its defaults.
 */
export type OperationInput<Id extends OperationId> = {
  readonly path: Path<Parameters<Id>>;
  readonly query: WithDefaults<Query<Parameters<Id>>, QueryDefault<Id>>;
} & Body<operations[Id], BodyDefault<Id>>;

type Parameters<Id extends OperationId> = operations[Id]["parameters"];

type Nothing = Readonly<Record<never, never>>;

type Path<P> = P extends { path: infer Found } ? Readonly<Found> : Nothing;

type Query<P> = P extends { query?: infer Found } ? ([Found] extends [never] ? Nothing : Found) : Nothing;

type QueryDefault<Id extends OperationId> = (typeof policies)[Id]["queryDefaults"][number];

type WithDefaults<Q, Name extends string> = Readonly<Simplify<Omit<Q, Name> & Required<Pick<Q, Name & keyof Q>>>>;

type BodyDefault<Id extends OperationId> = (typeof policies)[Id]["bodyDefaults"][number];

type Body<O, Name extends string> = O extends { requestBody: { content: { "application/json": infer Found } } }
  ? { readonly body: [Name] extends [never] ? Found : WithDefaults<Found, Name> }
  : { readonly body?: never };

type Simplify<T> = { [Key in keyof T]: T[Key] };
