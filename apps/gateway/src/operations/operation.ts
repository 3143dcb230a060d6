import {
  Problem,
  type OperationId,
  type operations,
  type OperationInput,
  type OperationResult,
} from "@gateway/contract";
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

type Asked<Id extends OperationId> = ReturnType<typeof askedOf<Id>>;

type Deps<Id extends OperationId> = OperationCall<Id>["deps"];

type Page<Item> = { items: readonly Item[]; nextCursor: string | null };

/**
 * Refuses with 404 when `perform` returns nothing. `present` also gets Postgres' time, on which a status may depend.
 */
export function answerOne<Id extends OperationId, Thing>(
  noun: string,
  perform: (asked: Asked<Id>, deps: Deps<Id>, input: OperationInput<Id>) => Promise<Thing | null | undefined>,
  present: (thing: Thing, nowMs: number) => OperationResult<Id>["data"],
) {
  return async (call: OperationCall<Id>) => {
    const thing = found(noun, await perform(askedOf(call), call.deps, call.input));
    return { status: 200 as const, data: present(thing, call.deps.clock.now()) };
  };
}

export function answerPage<Id extends OperationId, Item, Presented>(
  list: (asked: Asked<Id>, deps: Deps<Id>) => Page<Item> | Promise<Page<Item>>,
  present: (item: Item, nowMs: number) => Presented,
) {
  return async (call: OperationCall<Id>) => {
    const page = await list(askedOf(call), call.deps);
    const nowMs = call.deps.clock.now();
    return pageOf(page, (item) => present(item, nowMs));
  };
}

/** A page whose items need more than the time to be presented. */
export function pageOf<Item, Presented>({ items, nextCursor }: Page<Item>, present: (item: Item) => Presented) {
  return {
    status: 200 as const,
    data: items.map((item) => present(item)),
    meta: { hasMore: nextCursor !== null, nextCursor },
  };
}

function askedOf<Id extends OperationId>({ input, principal }: OperationCall<Id>) {
  return { ...input.path, ...input.query, accountId: principal.accountId };
}

/** The same words for a resource of another account, a deleted one and an unknown one, so that ids cannot be probed. */
export function noSuch(noun: string): Problem {
  return new Problem("NOT_FOUND", `There is no ${noun} with this id in this account.`);
}

/** Returns the resource, or refuses with 404 when there is none. */
export function found<Thing>(noun: string, thing: Thing | null | undefined | false): Thing {
  if (!thing) {
    throw noSuch(noun);
  }
  return thing;
}

export function noSuchInstrument(): Problem {
  return new Problem("NOT_FOUND", "There is no instrument with this symbol. GET /instruments lists them.");
}

export function noSuchPriceFeed(symbol: string): Problem {
  return new Problem(
    "NOT_FOUND",
    `There is no price feed for ${symbol}; GET /api/v1/price-feeds lists the existing ones.`,
  );
}

/** A fault of the gateway, because no credential outlives its account. */
export function noSuchAccount({ accountId }: { accountId: string }): Error {
  return new Error(`The account ${accountId} of a valid credential is gone.`);
}

/** The caller, as it is stored with the created resource. */
export function initiatorOf({ credential }: Principal) {
  return credential.kind === "apiKey"
    ? ({ kind: "apiKey", id: credential.apiKeyId } as const)
    : ({ kind: "person", id: credential.personId } as const);
}

/** The caller of an operation for people. The credential is never a key. */
export function personOf({ credential }: Principal): string {
  if (credential.kind !== "accessToken") {
    throw new Error("An operation for people was called without a person.");
  }
  return credential.personId;
}
