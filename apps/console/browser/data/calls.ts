import {
  isGatewayError,
  type Client,
  type ErrorCode,
  type GatewayError,
  type OperationTypes,
} from "gateway-api-client";
import { operations } from "./operations.ts";
import { client } from "./client.ts";
import type { OperationId } from "./operation-row.ts";

type JsonOf<Answer> = Answer extends { content: { "application/json": infer Json } } ? Json : never;
type EnvelopeOf<Id extends OperationId> = OperationTypes[Id] extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201)]: JsonOf<Responses[Status]> }[keyof Responses & (200 | 201)]
  : never;

export type DataOf<Id extends OperationId> = EnvelopeOf<Id> extends { data: infer Data } ? Data : never;

export type ItemOf<Id extends OperationId> = DataOf<Id> extends readonly (infer Item)[] ? Item : never;

/** A call as data: the request, the code that is shown and the key of the answer are made of it. */
export type Call<Id extends OperationId = OperationId> = {
  readonly operationId: Id;
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  /** As it was typed; otherwise whoever sends it makes one. */
  readonly idempotencyKey?: string | undefined;
};

export type Answered<Id extends OperationId> = {
  data: DataOf<Id>;
  meta: {
    requestId: string;
    hasMore?: boolean;
    nextCursor?: string | null;
    after?: string | null;
    /** Of the request log and the usage: when requests may be missing. */
    gaps?: readonly { from: string; to: string; count: number | null }[];
  };
};

/** In the place of the client's own; see `CallOptions` there. */
type CallLimits = { timeoutMs?: number; tryTimeoutMs?: number; maxRetries?: number };

type Send = (path: string, init: unknown) => Promise<unknown>;

/** Sends it as the person who is signed in. Rejects with a GatewayError. */
export async function callApi<Id extends OperationId>(
  { operationId, path, query, body }: Call<Id>,
  {
    client: sender = client,
    ...options
  }: CallLimits & { signal?: AbortSignal; idempotencyKey?: string; client?: Client } = {},
): Promise<Answered<Id>> {
  const operation = operations[operationId];
  // The table and the types are of the same document: its methods are those of the client, which takes what each of
  // them takes.
  const send = sender[operation.method.toUpperCase() as "GET"] as unknown as Send;
  // And what it answers is of this operation.
  return (await send(operation.path, {
    ...options,
    params: { path: path ?? {}, query: withoutEmpty(query ?? {}) },
    ...(body !== undefined && { body }),
  })) as Answered<Id>;
}

function withoutEmpty(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ""));
}

/** What is shown of a failed call: also of what is no answer of the gateway. */
export type CallFault = {
  code: ErrorCode;
  message: string;
  requestId: string | null;
  docsUrl: string | null;
  details: readonly { field: string; issue: string }[];
  status: number | null;
};

export function faultOf(error: unknown): CallFault {
  if (isGatewayError(error)) {
    const { code, message, requestId, docsUrl, details, status }: GatewayError = error;
    // All of these stand beside it.
    const begin = new RegExp(`^(?:[A-Z]+ /\\S* ?)?(?:answered )?(?:${status} ${code}\\. )?`);
    return {
      code,
      message: message.replace(begin, "").replace(` (${requestId})`, "") || message,
      requestId,
      docsUrl,
      details,
      status,
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { code: "CONNECTION_FAILED", message, requestId: null, docsUrl: null, details: [], status: null };
}
