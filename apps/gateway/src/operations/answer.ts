import type { OperationId, OperationInput, OperationResult } from "@gateway/contract";
import { found } from "./no-such.ts";
import type { OperationCall } from "./operation.ts";

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
