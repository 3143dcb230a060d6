import type { OperationId, operations, OperationInput, OperationResult } from "@gateway/contract";
import type { Clock } from "@gateway/kernel";
import type { RateLimiter } from "@gateway/limits";
import type { Need } from "@gateway/platform/compose/elsewhere";
import type { ServiceName, ServicesOf } from "@gateway/platform/compose/may-call";
import type { LongPoll, Principal } from "../pipeline/call.ts";

/** The service that owns an operation in the document: x-service, with `market-data` as `marketData`. */
type ServiceOf<Id extends OperationId> = KeyOf<(typeof operations)[Id]["service"]>;

type KeyOf<Service extends string> = Service extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Rest>}`
  : Service;

/** Its own service and those that this one may call. All of them write in the one transaction of the operation. */
type OperationDeps<Service extends ServiceName> = ServicesOf<Service> & DeploymentDeps;

export type DeploymentDeps = {
  clock: Clock;
  livemode: boolean;
  /** The identity provider's address without a slash at the end; null in a deployment that has none. */
  authUrl: string | null;
  /** The limiter of requests; see `bucketOfAccount`. */
  rateLimiter: Pick<RateLimiter, "look">;
  /** The limiter of other actions, such as mails, by the day. */
  dailyLimiter: Pick<RateLimiter, "consume">;
};

export type OperationCall<Id extends OperationId> = {
  /** Path, query and body as the document describes them, validated, defaults filled in. */
  input: OperationInput<Id>;
  principal: Principal;
  /** Names the request and its repetitions: the Idempotency-Key, or the request's own id without one. */
  requestKey: string;
  /** Address of the caller, when known. */
  clientAddress: string | null;
  deps: OperationDeps<ServiceOf<Id>>;
  /** For a GET that waits. */
  waiting: LongPoll;
};

/** One operation of the document. Its types come from there; a refusal is thrown as a Problem. */
export type OperationHandler<Id extends string> = Id extends OperationId
  ? Perform<Id> & { needs?: NeedsOf<Id>; movesClock?: boolean }
  : NoSuchOperation;

type Perform<Id extends OperationId> = (call: OperationCall<Id>) => Promise<OperationResult<Id>>;

/** Needs that are read before the transaction of an operation that changes something. */
type NeedsOf<Id extends OperationId> = (
  call: Pick<OperationCall<Id>, "input" | "principal" | "requestKey">,
) => readonly Need[];

/** An operation with needs of external services. It uses their readings in its transaction. */
export function needing<Id extends OperationId>(
  needs: NeedsOf<Id>,
  perform: Perform<Id>,
): Perform<Id> & { needs: NeedsOf<Id> } {
  return Object.assign(perform, { needs });
}

/** Accepts any use of a call, so that the one error of the type-check is this name. */
// oxlint-disable-next-line typescript/no-explicit-any -- any other type would add an error for each use of the call
type NoSuchOperation = (call: any) => "The document has no operation of this name";

/** Every operation of the document. */
export type OperationTable = { readonly [Id in OperationId]: OperationHandler<Id> };

/** Operations of other services are not allowed. The table of all operations checks that none is missing. */
export type OperationsOf<Service extends ServiceName> = {
  readonly [Id in OperationId]?: ServiceOf<Id> extends Service ? OperationHandler<Id> : never;
} & Readonly<Record<string, unknown>>;
