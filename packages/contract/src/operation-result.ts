import type { operations } from "./generated/types.ts";
import type { OperationId } from "./operation-id.ts";
import type { Schemas } from "./schemas.ts";

/**
 * The result of an operation: one of its success statuses with the data of that status. A list adds the part of meta
 * that only the operation knows. The pipeline adds the rest of meta.
 */
export type OperationResult<Id extends OperationId> = {
  [Status in SuccessStatus<Id>]: Result<Status, JsonOf<Responses<Id>[Status]>>;
}[SuccessStatus<Id>];

type Responses<Id extends OperationId> = operations[Id]["responses"];

type SuccessStatus<Id extends OperationId> = {
  [Status in keyof Responses<Id>]: Status extends number ? (`${Status}` extends `2${string}` ? Status : never) : never;
}[keyof Responses<Id>];

type JsonOf<Response> = Response extends { content: { "application/json": infer Json } } ? Json : never;

type Result<Status, Envelope> = Envelope extends { data: infer Data; meta: infer Meta }
  ? { readonly status: Status; readonly data: Data } & OwnMeta<Meta>
  : never;

type OwnMeta<Meta> =
  Exclude<keyof Meta, keyof Schemas["Meta"]> extends never
    ? { readonly meta?: never }
    : { readonly meta: Readonly<Omit<Meta, keyof Schemas["Meta"]>> };
