import { transaction, type Transaction } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Fact, FactContent, FactReceipt, FactVerdict, Inbox } from "@gateway/engine/work";
import type { Schema } from "../../src/compose/schema.ts";
import { createRecordAudit, systemOrigin } from "../../src/audit/index.ts";
import { createInbox } from "@gateway/engine/work/inbox";
import { useAll } from "@gateway/testkit";
import { createWorkStore } from "./work-store.ts";

const accountId = "acc_a";
const minute = 60_000;

const store = useAll(createWorkStore, (made) => made.database.close());

beforeAll(async () => {
  await sql`create table things (id text primary key, status text not null, amount integer not null, moves text[] not null)`.execute(
    store.database.kysely,
  );
});
beforeEach(() => store.empty("things"));

type Status = "detected" | "confirmed" | "orphaned";

/** A service of this test: ∅ → detected → confirmed | orphaned, orphaned → detected again. */
function createThings(trx: Transaction<Schema>) {
  const move = async (id: string, from: Status, to: Status): Promise<FactVerdict> => {
    await sql`update things set status = ${to}, moves = moves || ${to}::text where id = ${id} and status = ${from}`.execute(
      trx,
    );
    return "applied";
  };
  const create = async (id: string, amount: unknown): Promise<FactVerdict> => {
    await sql`insert into things values (${id}, 'detected', ${amount}, '{detected}')`.execute(trx);
    return "applied";
  };
  const apply = async ({ subjectId: id, content: { type, amount } }: Fact): Promise<FactVerdict> => {
    const { rows } = await sql<{ status: Status; amount: number }>`
      select status, amount from things where id = ${id} for no key update
    `.execute(trx);
    const [thing] = rows;
    if (!thing) {
      return type === "seen" ? create(id, amount) : "parked";
    }
    if (type === "broken") {
      await sql`select 1 / 0`.execute(trx);
    }
    if (thing.amount !== amount) {
      return "mismatched";
    }
    switch (`${thing.status} ${String(type)}`) {
      case "detected confirmed":
        return move(id, "detected", "confirmed");
      case "detected dropped":
        return move(id, "detected", "orphaned");
      case "orphaned seen again":
        return move(id, "orphaned", "detected");
      case "detected seen again":
      case "orphaned confirmed":
        return "parked";
      default:
        return "superseded";
    }
  };
  const inbox = createInbox(trx.$pickTables<"inbox_facts" | "planned_facts" | "work_items">(), {
    clock: store.clock,
    createId: createTypeId,
    recordAudit: createRecordAudit({ clock: store.clock, createId: createTypeId, origin: systemOrigin }),
    subjectOf: (port, content) => {
      if (port !== "test") {
        throw new Error(`No service takes facts of the port ${port}.`);
      }
      return String(content["id"]);
    },
    apply,
  });
  return { inbox, create };
}

function act<Result>(work: (things: ReturnType<typeof createThings>) => Promise<Result>): Promise<Result> {
  return transaction(store.database.kysely, (trx) => work(createThings(trx)));
}

type Told = { id?: string; type: string; amount?: number; factId?: string };

function receive({ id = "thing", type, amount = 100, factId = `${type} ${amount}` }: Told): Promise<FactReceipt> {
  return act(({ inbox }) =>
    inbox.receive({ port: "test", accountId, factId: `${id} ${factId}`, fact: { id, type, amount } }),
  );
}

async function things(): Promise<{ id: string; status: Status; amount: number; moves: Status[] }[]> {
  const { rows } = await sql<{ id: string; status: Status; amount: number; moves: Status[] }>`
    select * from things order by id
  `.execute(store.database.kysely);
  return rows;
}

async function statuses(): Promise<Record<string, string>> {
  const rows = await store.database.kysely.selectFrom("inbox_facts").select(["fact", "status"]).orderBy("id").execute();
  return Object.fromEntries(
    rows.map(({ fact, status }) => [`${String(fact["type"])} ${String(fact["amount"])}`, status]),
  );
}

const inboxOutside = (): Inbox => store.platform.work.inbox;

function ordersOf<Item>(items: readonly Item[]): Item[][] {
  return items.length < 2
    ? [[...items]]
    : items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

const seen: Told = { type: "seen" };
const confirmed: Told = { type: "confirmed" };
const dropped: Told = { type: "dropped" };
const again: Told = { type: "seen again" };
const other: Told = { type: "confirmed", amount: 99 };

describe.each([
  { told: [seen, confirmed], moves: ["detected", "confirmed"], left: {} },
  { told: [seen, dropped], moves: ["detected", "orphaned"], left: {} },
  { told: [seen, dropped, again], moves: ["detected", "orphaned", "detected"], left: {} },
  { told: [seen, confirmed, other], moves: ["detected", "confirmed"], left: { "confirmed 99": "mismatched" } },
  { told: [confirmed], moves: undefined, left: { "confirmed 100": "parked" } },
])("of $told", ({ told, moves, left }) => {
  test.each(ordersOf(told).map((order) => [order.map(({ type }) => type).join(", "), order] as const))(
    "in the order %s, each once or each twice: the same comes of it",
    async (_, order) => {
      for (const fact of order) {
        await receive(fact);
        expect(await receive(fact)).toBe("known");
      }
      expect((await things())[0]?.moves).toEqual(moves);
      expect((await statuses()) as unknown).toEqual({
        ...Object.fromEntries(told.map(({ type, amount = 100 }) => [`${type} ${amount}`, "applied"])),
        ...left,
      });
    },
  );
});

test("what was overtaken says nothing new", async () => {
  await receive(seen);
  await receive(confirmed);
  expect(await receive({ ...seen, factId: "late" })).toBe("superseded");
  expect(await receive({ ...confirmed, factId: "late too" })).toBe("superseded");
  expect(await inboxOutside().measure()).toEqual({ parkedCount: 0, oldestParkedMs: 0, alarmingCount: 0 });
});

test("under a name that came before, what says something else changes nothing, and somebody has to look", async () => {
  await receive({ ...seen, factId: "one" });
  expect(await receive({ ...confirmed, factId: "one" })).toBe("disputed");
  expect(await receive({ ...dropped, factId: "one" })).toBe("disputed");
  expect(await receive({ ...seen, factId: "one" })).toBe("known");
  expect((await things())[0]?.status).toBe("detected");
  expect(await inboxOutside().measure()).toMatchObject({ parkedCount: 0, alarmingCount: 1 });
  const [open] = await inboxOutside().listOpen(10);
  expect(open).toMatchObject({ status: "applied", content: { type: "seen" }, disputed: { type: "confirmed" } });
  await act(({ inbox }) => inbox.dismiss(open?.id ?? ""));
  expect(await inboxOutside().listOpen(10)).toEqual([]);
  expect(await statuses()).toEqual({ "seen 100": "applied" });
});

test("of another account or port, the same name is another fact", async () => {
  await receive(seen);
  const fact: FactContent = { id: "elsewhere", type: "seen", amount: 1 };
  const input = { port: "test", factId: "thing seen 100", fact };
  expect(await act(({ inbox }) => inbox.receive({ ...input, accountId: "acc_b" }))).toBe("applied");
});

test("a fact of a port that nobody takes is refused, and leaves nothing", async () => {
  const refused = act(({ inbox }) => inbox.receive({ port: "none", factId: "1", accountId, fact: {} }));
  await expect(refused).rejects.toThrow("No service takes facts of the port none.");
  expect(await statuses()).toEqual({});
});

describe("an operation that moves what facts wait for", () => {
  const create = (inbox: Inbox, work: () => Promise<unknown>): Promise<void> =>
    work().then(() => inbox.resume({ accountId, subjectId: "thing" }));

  test("applies them in its transaction, the oldest first", async () => {
    await receive(dropped);
    await receive(confirmed);
    await act(({ inbox, create: insert }) => create(inbox, () => insert("thing", 100)));
    expect((await things())[0]?.moves).toEqual(["detected", "orphaned"]);
    expect(await statuses()).toEqual({ "dropped 100": "applied", "confirmed 100": "parked" });
  });

  test("that is rolled back takes them back", async () => {
    await receive(confirmed);
    const failing = act(async ({ inbox, create: insert }) => {
      await create(inbox, () => insert("thing", 100));
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await things()).toEqual([]);
    expect(await statuses()).toEqual({ "confirmed 100": "parked" });
  });

  test("is not undone by one that cannot be applied: it stays parked, and the others are applied", async () => {
    await receive({ type: "broken" });
    await receive(confirmed);
    await act(({ inbox, create: insert }) => create(inbox, () => insert("thing", 100)));
    expect((await things())[0]?.status).toBe("confirmed");
    expect(await statuses()).toEqual({ "broken 100": "parked", "confirmed 100": "applied" });
  });
});

test("facts of the same things at the same moment, each twice and in odd orders, are each applied once, and none is left behind", async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `thing_${index + 10}`);
  const told = ids.flatMap((id) => [confirmed, seen, confirmed, seen].map((fact) => ({ id, ...fact })));
  const receipts = await Promise.all(told.map(receive));
  expect(receipts.filter((receipt) => receipt === "known")).toHaveLength(24);
  expect(await things()).toEqual(
    ids.map((id) => ({ id, status: "confirmed", amount: 100, moves: ["detected", "confirmed"] })),
  );
  expect(await inboxOutside().measure()).toMatchObject({ parkedCount: 0, alarmingCount: 0 });
});

test("a fact that is parked is counted at once, and alarms after ten minutes", async () => {
  await receive(confirmed);
  expect(await inboxOutside().measure()).toEqual({ parkedCount: 1, oldestParkedMs: 0, alarmingCount: 0 });
  await store.clock.advance(10 * minute);
  expect((await inboxOutside().measure()).alarmingCount).toBe(0);
  await store.clock.advance(1);
  expect(await inboxOutside().measure()).toEqual({ parkedCount: 1, oldestParkedMs: 10 * minute + 1, alarmingCount: 1 });
});

describe("an operator", () => {
  /** Events in the audit log of the fact's account, oldest first. */
  const recorded = async (id: string | undefined) => {
    const { items } = await store.platform.audit.list({ accountId, resourceId: id, limit: 100 });
    return items.toReversed().map(({ type, changes }) => ({ type, changes }));
  };
  const became = (after: string) => [{ field: "status", before: null, after }];

  test("tries a fact again, with all that waits for it", async () => {
    await receive(seen);
    await receive(other);
    const [open] = await inboxOutside().listOpen(10);
    expect(open).toMatchObject({ status: "mismatched", factId: "thing confirmed 99" });
    const retry = (): Promise<FactVerdict | null> => act(({ inbox }) => inbox.retry(open?.id ?? ""));
    expect(await retry()).toBe("mismatched");
    await sql`update things set amount = 99`.execute(store.database.kysely);
    expect(await retry()).toBe("applied");
    expect(await retry()).toBeNull();
    expect((await things())[0]?.moves).toEqual(["detected", "confirmed"]);
    expect(await recorded(open?.id)).toEqual([
      { type: "fact.retried", changes: became("mismatched") },
      { type: "fact.retried", changes: became("applied") },
    ]);
  });

  test("dismisses one: it is never tried again, and coming again it is known", async () => {
    await receive(confirmed);
    const [open] = await inboxOutside().listOpen(10);
    const dismiss = (id: string) => act(({ inbox }) => inbox.dismiss(id));
    expect(await dismiss(open?.id ?? "")).toMatchObject({ factId: "thing confirmed 100" });
    expect(await dismiss(open?.id ?? "")).toBeNull();
    expect(await receive(confirmed)).toBe("known");
    await receive(seen);
    expect((await things())[0]?.status).toBe("detected");
    expect(await statuses()).toEqual({ "confirmed 100": "dismissed", "seen 100": "applied" });
    expect(await recorded(open?.id)).toEqual([{ type: "fact.dismissed", changes: became("dismissed") }]);
  });

  test("of two at once, one decides a fact", async () => {
    await receive(seen);
    await receive({ ...confirmed, id: "later" });
    await sql`insert into things values ('later', 'detected', 100, '{detected}')`.execute(store.database.kysely);
    const [open] = await inboxOutside().listOpen(10);
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, () => act(({ inbox }) => inbox.retry(open?.id ?? ""))),
    );
    expect(tries.filter((result) => result.status === "fulfilled" && result.value === "applied")).toHaveLength(1);
    expect(await recorded(open?.id)).toEqual([{ type: "fact.retried", changes: became("applied") }]);
    expect((await things())[0]?.moves).toEqual(["detected", "confirmed"]);
  });
});
