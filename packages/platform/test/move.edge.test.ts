import { transaction, type Transaction } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { useAll } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import type { LedgerTables } from "../src/ledger/index.ts";
import { begin, move, type Beginnings, type Moves, type Stateful } from "../src/events/move.ts";
import { createEventStore } from "./events/event-store.ts";

const store = useAll(createEventStore, (made) => made.database.close());
let table: Stateful<"Wallet", "wallets">;
let own: { id: string; accountId: string };

beforeAll(async () => {
  table = { machine: "Wallet", table: "wallets", recordEvent: store.platform.events.recordIn };
});
beforeEach(async () => {
  const { accountId } = store;
  own = { id: (await createWallet()).id, accountId };
});

function createWallet() {
  const { platform, accountId } = store;
  return platform.ledger.wallets.create({ accountId, name: "W", currency: "EUR", metadata: {} });
}

function inTransaction<Result>(work: (trx: Transaction<LedgerTables>) => Promise<Result>): Promise<Result> {
  return transaction(store.database.kysely.$pickTables<keyof LedgerTables>(), work);
}

async function stateOf({ id }: { id: string }): Promise<string | undefined> {
  return (await store.platform.ledger.wallets.get({ id, accountId: own.accountId }))?.status;
}

describe("a move", () => {
  test("leads to the state of the document, with what changes beside it, and answers the row", async () => {
    const moved = await inTransaction((trx) => move(trx, table, "freeze", { ...own, set: { name: "Frozen" } }));
    expect(moved?.row).toMatchObject({ id: own.id, status: "frozen", name: "Frozen" });
    expect(await stateOf(own)).toBe("frozen");
  });

  test("from another state is INVALID_STATE, which says both states, and changes nothing", async () => {
    await inTransaction((trx) => move(trx, table, "close", own));
    const before = await store.platform.ledger.wallets.get(own);
    await expect(
      inTransaction((trx) => move(trx, table, "freeze", { ...own, set: { name: "X" } })),
    ).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: `The wallet ${own.id} is closed, and freeze takes only one that is active.`,
    });
    expect(await store.platform.ledger.wallets.get(own)).toEqual(before);
  });

  test("that its guard forbids is INVALID_STATE too", async () => {
    const guard = sql<boolean>`held > 0`;
    await expect(inTransaction((trx) => move(trx, table, "close", { ...own, guard }))).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: `The wallet ${own.id} is active, and cannot close as it is now.`,
    });
    expect(await stateOf(own)).toBe("active");
  });

  test("of a thing of another account, or of none, is null", async () => {
    const stranger = { ...own, accountId: createTypeId("acc") };
    expect(await inTransaction((trx) => move(trx, table, "freeze", stranger))).toBeNull();
    expect(await inTransaction((trx) => move(trx, table, "freeze", { ...own, id: createTypeId("wal") }))).toBeNull();
    expect(await stateOf(own)).toBe("active");
  });

  test("of 20 at once is done by one, and the others are told", async () => {
    const attempts = Array.from({ length: 20 }, () => inTransaction((trx) => move(trx, table, "freeze", own)));
    const ended = await Promise.allSettled(attempts);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refusals = ended.flatMap((one) => (one.status === "rejected" ? [one.reason as unknown] : []));
    expect(refusals).toEqual(Array.from({ length: 19 }, () => expect.objectContaining({ code: "INVALID_STATE" })));
  });
});

test("a beginning says the state of a new row, and records what the document lets it", async () => {
  const { accountId, platform } = store;
  const object = (await platform.events.list({ accountId, type: "wallet.created", limit: 1 })).items[0]?.data.object;
  const event = await inTransaction((trx) => {
    const { state, emit } = begin(trx, table, "create", { accountId });
    expectTypeOf(state).toEqualTypeOf<"active">();
    expect(state).toBe("active");
    // As the operation presented it.
    return emit("wallet.created", object as Parameters<typeof emit>[1]);
  });
  expect(await platform.events.get({ id: event.id, accountId })).toMatchObject({ type: "wallet.created" });
});

/** What the types promise. The type-check fails here; nothing of it is run. */
export async function neverRun(trx: Transaction<LedgerTables>): Promise<void> {
  expectTypeOf<Beginnings<"Wallet">>().toEqualTypeOf<"create">();
  expectTypeOf<Moves<"Wallet">>().toEqualTypeOf<"freeze" | "unfreeze" | "close">();
  const { emit } = begin(trx, table, "create", own);
  expectTypeOf(emit).parameter(0).toEqualTypeOf<"wallet.created">();
  // @ts-expect-error -- create does not emit it
  await emit("wallet.balance_changed", {});
  const moved = await move(trx, table, "freeze", own);
  // @ts-expect-error -- freeze emits nothing
  await moved?.emit("wallet.created", {});
  // @ts-expect-error -- what makes a wallet does not move one
  await move(trx, table, "create", own);
  // @ts-expect-error -- no transition of a wallet
  await move(trx, table, "melt", own);
  // @ts-expect-error -- no column of a wallet
  await move(trx, table, "freeze", { ...own, set: { colour: "blue" } });
}
