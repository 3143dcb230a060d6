import {
  isGatewayError,
  type Client,
  type ErrorCode,
  type GatewayError,
  type OperationTypes,
  createClient,
} from "gateway-api-client";
import { operations as table } from "virtual:operations";
import type { OperationPolicy } from "@gateway/contract";

type JsonOf<Answer> = Answer extends { content: { "application/json": infer Json } } ? Json : never;
type EnvelopeOf<Id extends OperationId> = OperationTypes[Id] extends { responses: infer Responses }
  ? { [Status in keyof Responses & (200 | 201)]: JsonOf<Responses[Status]> }[keyof Responses & (200 | 201)]
  : never;

export type DataOf<Id extends OperationId> = EnvelopeOf<Id> extends { data: infer Data } ? Data : never;

export type ItemOf<Id extends OperationId> = DataOf<Id> extends readonly (infer Item)[] ? Item : never;

/** A call as data. The request, the code on the screen and the cache key of the response are derived from it. */
export type Call<Id extends OperationId = OperationId> = {
  readonly operationId: Id;
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  /** The key that the user typed. Without one, the sender creates a key. */
  readonly idempotencyKey?: string | undefined;
};

export type Answered<Id extends OperationId> = {
  data: DataOf<Id>;
  meta: {
    requestId: string;
    hasMore?: boolean;
    nextCursor?: string | null;
    after?: string | null;
    /** Only of the request log and the usage: periods in which requests may be missing. */
    gaps?: readonly { from: string; to: string; count: number | null }[];
  };
};

/** Replace the client's own limits; see `CallOptions` there. */
type CallLimits = { timeoutMs?: number; tryTimeoutMs?: number; maxRetries?: number };

type Send = (path: string, init: unknown) => Promise<unknown>;

/** Sends the call as the person who is signed in. Rejects with a GatewayError. */
export async function callApi<Id extends OperationId>(
  { operationId, path, query, body }: Call<Id>,
  {
    client: sender = client,
    ...options
  }: CallLimits & { signal?: AbortSignal; idempotencyKey?: string; client?: Client } = {},
): Promise<Answered<Id>> {
  const operation = operations[operationId];
  // The table and the types come from the same document, so its methods are those of the client, with the same
  // parameters.
  const send = sender[operation.method.toUpperCase() as "GET"] as unknown as Send;
  // For the same reason, the response is the one of this operation.
  return (await send(operation.path, {
    ...options,
    params: { path: path ?? {}, query: withoutEmpty(query ?? {}) },
    ...(body !== undefined && { body }),
  })) as Answered<Id>;
}

function withoutEmpty(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ""));
}

/** The parts of a failed call that are shown, including a failure without a response of the gateway. */
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
    // The removed parts are shown next to the message.
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

/** The client of the page. Its server adds the access token, so no script holds one. */
export const client = createClient({ baseUrl: location.origin, session: "cookie", maxRetries: 1, timeoutMs: 20_000 });

/** Every operation of the document. What the build writes has this shape (src/build/contract-modules.ts). */
export const operations = table as Readonly<Record<OperationId, OperationRow>>;

export function isOperationId(text: string): text is OperationId {
  return Object.hasOwn(operations, text);
}

/** The path of an operation on one thing, whose id is the only value in it. */
export function pathOf(operationId: OperationId, id: string): Readonly<Record<string, string>> {
  const [, name = ""] = /\{(\w+)\}/.exec(operations[operationId].path) ?? [];
  return { [name]: id };
}

export type OperationId = keyof OperationTypes;

/** A row of the contract's table, with the columns that the page shows or enforces. */
export type OperationRow = { readonly summary: string } & Pick<
  OperationPolicy,
  | ("method" | "path" | "service" | "permission" | "sandboxOnly")
  | ("idempotencyKey" | "personRequired" | "freshSignInSeconds")
>;
