import type { OperationTypes, Paths } from "@gateway/contract/published";
import type { ParamsOption, RequestBodyOption } from "openapi-fetch";
import type { CallOptions, PostOptions } from "./call-options.ts";

type OperationId = keyof OperationTypes;

/** The query parameters of an operation, as a caller gives them. */
export type Query<Id extends OperationId> = NonNullable<OperationTypes[Id]["parameters"]["query"]>;

/** The body of an operation, as a caller gives it. */
export type Body<Id extends OperationId> = OperationTypes[Id] extends {
  requestBody: { content: { "application/json": infer Found } };
}
  ? Found
  : never;

/** What an operation answers, out of its envelope. */
export type Data<Id extends OperationId> = EnvelopeOf<OperationTypes[Id]>["data"];

/** One thing of the list that an operation answers. */
export type Item<Id extends OperationId> = Data<Id> extends readonly (infer Found)[] ? Found : never;

type EnvelopeOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201)]: JsonOf<Responses[Status]> }[keyof Responses & (200 | 201)]
  : never;

type JsonOf<Answer> = Answer extends {
  content: { "application/json": infer Json extends { data: unknown; meta: unknown } };
}
  ? Json
  : never;

/** The methods that operations of the document have. */
export type Method = "get" | "post" | "patch" | "delete";

/** What a path-typed call resolves to: the envelope opened, and the answer that it came in (its body is read). */
export type Opened<Operation> = {
  data: EnvelopeOf<Operation>["data"];
  meta: EnvelopeOf<Operation>["meta"];
  response: Response;
};

type Init<Operation, M extends Method> = ParamsOption<Operation> &
  RequestBodyOption<Operation> &
  (M extends "post" ? PostOptions : CallOptions);

/** May be left out when all that is in it may be. */
type InitArguments<OneInit> = Record<never, never> extends OneInit ? [init?: OneInit] : [init: OneInit];

type PathsWith<M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends Record<M, unknown> ? Path : never;
}[keyof Paths];

/** A call by path, typed as openapi-fetch types it; it throws where that returns an error. */
export type PathCall<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...init: InitArguments<Init<Paths[Path][M], M>>
) => Promise<Opened<Paths[Path][M]>>;
