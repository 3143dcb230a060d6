import type { OperationTypes, Paths } from "@gateway/contract/published";
import type { ParamsOption, RequestBodyOption } from "openapi-fetch";
import type { CallOptions, PostOptions } from "./call-options.ts";
import type { Opened } from "./call-promise.ts";

type OperationId = keyof OperationTypes;

/** The query parameters of an operation, as a caller gives them. */
export type Query<Id extends OperationId> = NonNullable<OperationTypes[Id]["parameters"]["query"]>;

type EnvelopeOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201)]: JsonOf<Responses[Status]> }[keyof Responses & (200 | 201)]
  : never;

type JsonOf<Answer> = Answer extends {
  content: { "application/json": infer Json extends { data: unknown; meta: unknown } };
}
  ? Json
  : never;

/** The methods that operations of the document have. */
type Method = "get" | "post" | "put" | "patch" | "delete";

type Init<Operation, M extends Method> = ParamsOption<Operation> &
  RequestBodyOption<Operation> &
  (M extends "post" ? PostOptions : CallOptions);

/** Optional when all its members are optional. */
type InitArguments<OneInit> = Record<never, never> extends OneInit ? [init?: OneInit] : [init: OneInit];

type PathsWith<M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, unknown> ? Path : never;
}[keyof Paths];

/** A call by path, typed as openapi-fetch types it; it throws where that returns an error. */
export type PathCall<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...init: InitArguments<Init<Paths[Path][M], M>>
) => Promise<OpenedOf<Paths[Path][M]>>;

type OpenedOf<Operation> = Opened<EnvelopeOf<Operation>["data"], EnvelopeOf<Operation>["meta"]>;
