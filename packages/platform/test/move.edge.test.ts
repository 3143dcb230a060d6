import type { AccountTransaction } from "@gateway/engine/account-time";
import { begin, move, type Beginnings, type Moves, type ToEvent } from "@gateway/engine/move";
import { createTypeId, systemClock } from "@gateway/kernel";
import { useAll } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import type { LedgerTables } from "../src/ledger/index.ts";
import { createAccountClock } from "../src/gateway/index.ts";
import { createEventStore } from "./events/event-store.ts";

const store = useAll(createEventStore, (made) => made.database.close());
const table = { machine: "Wallet", table: "wallets" } as const;
let own: { id: string; accountId: string };
beforeEach(async () => {
  const { accountId } = store;
  own = { id: (await createWallet()).id, accountId };
});

function createWallet() {
  const { platform, accountId } = store;
  return platform.ledger.wallets.create({ accountId, name: "W", currency: "EUR", metadata: {} });
}

function inTransaction<Result>(work: (trx: AccountTransaction<LedgerTables>) => Promise<Result>): Promise<Result> {
  const { inAccount } = createAccountClock({ clock: systemClock, livemode: true, held: null, stoppedAt: null });
  return inAccount(store.database.kysely.$pickTables<keyof LedgerTables>(), own.accountId, work);
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
      message: `The wallet ${own.id} is closed, and freeze requires one that is active.`,
    });
    expect(await store.platform.ledger.wallets.get(own)).toEqual(before);
  });

  test("that its guard forbids is INVALID_STATE too", async () => {
    const guard = sql<boolean>`held > 0`;
    await expect(inTransaction((trx) => move(trx, table, "close", { ...own, guard }))).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: `The wallet ${own.id} is active, and close is not possible as it is now.`,
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

test("a beginning says the state of a new row, and what happens with it, which is recorded", async () => {
  const { accountId, platform } = store;
  const object = (await platform.events.list({ accountId, type: "wallet.created", limit: 1 })).items[0]?.data.object;
  const { state, event } = begin("Wallet", "create");
  expectTypeOf(state).toEqualTypeOf<"active">();
  expect(state).toBe("active");
  // The operation presented this type.
  const created = event("wallet.created", object as Parameters<typeof event>[1]);
  const [recorded] = await inTransaction((trx) => platform.events.recorder.record(trx, [created]));
  expect(await platform.events.get({ id: recorded?.id ?? "", accountId })).toMatchObject({ type: "wallet.created" });
});

/** Promises of the types. The type-check fails here; this code never runs. */
export async function neverRun(trx: AccountTransaction<LedgerTables>): Promise<void> {
  expectTypeOf<Beginnings<"Wallet">>().toEqualTypeOf<"create">();
  expectTypeOf<Moves<"Wallet">>().toEqualTypeOf<"freeze" | "unfreeze" | "close">();
  const moved = await move(trx, table, "freeze", own);
  // @ts-expect-error -- freeze emits nothing
  moved?.event("wallet.created", {});
  // @ts-expect-error -- what makes a wallet does not move one
  await move(trx, table, "create", own);
  // @ts-expect-error -- no transition of a wallet
  await move(trx, table, "melt", own);
  // @ts-expect-error -- no column of a wallet
  await move(trx, table, "freeze", { ...own, set: { colour: "blue" } });
}

/** Each beginning may name its own events, and no other. */
export function neverRunBeginnings(): void {
  const { event } = begin("Wallet", "create");
  // @ts-expect-error -- create does not emit it
  event("wallet.balance_changed", {});
  expectTypeOf(event).toEqualTypeOf<ToEvent<"wallet.created">>();
  type Moved = "wallet.balance_changed";
  expectTypeOf(begin("Payment", "initiate").event).toEqualTypeOf<ToEvent<"payment.initiated" | Moved>>();
  expectTypeOf(begin("Payment", "transfer").event).toEqualTypeOf<
    ToEvent<"payment.initiated" | "payment.settled" | Moved>
  >();
  expectTypeOf(begin("Payment", "refuse").event).toEqualTypeOf<ToEvent<"payment.initiated" | "payment.failed">>();
  expectTypeOf(begin("Order", "create").event).toEqualTypeOf<ToEvent<Moved>>();
  expectTypeOf(begin("Order", "createReplacement").event).toEqualTypeOf<ToEvent<Moved>>();
  const posting = { accountId: "acc", kind: "hold", cause: null, isUnderWay: false, entries: [] } as const;
  // @ts-expect-error -- an event that no transition made
  void store.platform.ledger.post({ ...posting, announces: [{ type: "payment.settled", object: {} }] });
}
