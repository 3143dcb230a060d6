import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WorkItem } from "@gateway/engine/work";
import { systemOrigin, type AuditOrigin } from "../../src/audit/index.ts";
import type { Services } from "../../src/compose/may-call.ts";
import { createPlatform } from "../../src/compose/platform.ts";
import { handlerOf, runWorkItem, type PlatformHandlers } from "../../src/compose/run-work-item.ts";
import { workHandlers } from "../../src/compose/work-handlers.ts";
import { noPorts, type CreatePorts } from "@gateway/ports";
import { useAll } from "@gateway/testkit";
import { createWorkStore } from "./work-store.ts";

const accountId = "acc_00000000000000000000000001";
const other = "acc_00000000000000000000000002";
const minute = 60_000;

/** Subjects by turn, and the account's time since the beginning. */
let ran: [subject: string, atMs: number][];
let failing: Set<string>;
let began: number;
const store = useAll(
  () => createWorkStore({ livemode: false, workHandlers: handlers, createPorts }),
  (made) => made.database.close(),
);

const note = async (item: WorkItem): Promise<void> => {
  if (failing.has(item.subjectId)) {
    throw new Error("not yet");
  }
  ran.push([item.subjectId, item.firesAt.getTime() - began]);
};

const handlers: PlatformHandlers = {
  ...workHandlers,
  tick: async (item) => async () => {
    await note(item);
    return null;
  },
  /** Before its transition, it calls the rail and opens a ledger account. Within it, it opens another. */
  opens: async (item, { transaction, ports }) => {
    const open = (name: string, { ledger }: Pick<Services, "ledger">) =>
      ledger.accounts.create({
        accountId,
        name,
        currency: "EUR",
        mayBeNegative: false,
        externalId: null,
        metadata: {},
      });
    await transaction((services) => open(`${item.subjectId} before`, services));
    await ports.rail?.cancel({ accountId, paymentId: item.subjectId });
    return async (services) => {
      await open(`${item.subjectId} after`, services);
      await note(item);
      return null;
    };
  },
  /** Fires three times, every ten minutes. Then the item that it armed fires five minutes later. */
  chain: async (item) => async (services) => {
    await note(item);
    const turn = ran.filter(([subject]) => subject === item.subjectId).length;
    if (turn < 3) {
      return new Date(item.firesAt.getTime() + 10 * minute);
    }
    const firesAt = new Date(item.firesAt.getTime() + 5 * minute);
    await services.work.queue.arm({ accountId: item.accountId, kind: "tick", subjectId: "chained", firesAt });
    return null;
  },
};

const createPorts: CreatePorts = (planFacts) => ({
  ...noPorts,
  rail: {
    submit: () => expect.unreachable(),
    cancel: ({ paymentId }) => {
      const fact = { type: "refused", paymentId, code: "expired" } as const;
      return planFacts({ accountId, facts: [{ port: "rail", factId: paymentId, afterMs: 60 * minute, fact }] });
    },
  },
});

beforeAll(async () => {
  await sql`
    insert into accounts (id, email, tier, created_at)
    values (${accountId}, 'a@example.com', 'starter', now()), (${other}, 'b@example.com', 'starter', now())
  `.execute(store.database.kysely);
});
beforeEach(async () => {
  await store.empty("sandbox_clocks", "planned_facts");
  ran = [];
  failing = new Set();
  began = store.clock.now();
});

const advance = (byMs: number) =>
  store.platform.inAccount(
    accountId,
    ({ gateway }) => gateway.sandboxClocks.advance({ accountId, seconds: byMs / 1000 }),
    { isAlone: true },
  );
const arm = (subjectId: string, afterMs: number, { kind = "tick", of = accountId } = {}) =>
  store.platform.inAccount(of, async ({ work, gateway }) => {
    const { nowMs } = await gateway.sandboxClocks.get(of);
    await work.queue.arm({ accountId: of, kind, subjectId, firesAt: new Date(nowMs + afterMs) });
  });
const items = () =>
  store.database.kysely
    .selectFrom("work_items")
    .select(["subject_id", "kind", "fires_at", "due_at", "lease", "attempts"])
    .orderBy("fires_at")
    .orderBy("id")
    .execute();

/** Works like a worker, until nothing is due. */
async function work(): Promise<void> {
  const { queue } = store.platform.work;
  for (;;) {
    const claimed = await queue.claim({ slots: 10, perAccount: 10, heldByAccount: new Map() });
    for (const item of claimed) {
      await runWorkItem(store.platform.workContext(item), handlerOf(item, handlers), item).catch(() =>
        queue.fail(item),
      );
    }
    if (claimed.length === 0) {
      return;
    }
  }
}

test("what is armed is due when its time comes in the account, of the clock as it is then", async () => {
  await advance(60 * minute);
  await arm("a", 10 * minute);
  const [item] = await items();
  expect(item?.fires_at.getTime()).toBe(began + 70 * minute);
  expect(item?.due_at.getTime()).toBe(began + 10 * minute);
});

test("an advance runs what is due in the order of time, chained timers too, each at its own time", async () => {
  await arm("late", 12 * minute);
  await arm("chain", 5 * minute, { kind: "chain" });
  await arm("early", 5 * minute);
  await arm("never", 41 * minute);
  expect(await advance(40 * minute)).toMatchObject({ nowMs: began + 40 * minute, transitions: 6, remaining: 0 });
  expect(ran).toEqual([
    ["chain", 5 * minute],
    ["early", 5 * minute],
    ["late", 12 * minute],
    ["chain", 15 * minute],
    ["chain", 25 * minute],
    ["chained", 30 * minute],
  ]);
  expect(await items()).toMatchObject([{ subject_id: "never", due_at: new Date(began + minute), attempts: 0 }]);
});

test("the account's time stands at that of the item, also for what its port plans, and nobody but the platform does it", async () => {
  await arm("a", minute, { kind: "opens" });
  const db = store.database.kysely;
  const { rows: audits } = await sql<{ id: string | null }>`select max(id) as id from audit_events`.execute(db);
  const lastAudit = audits[0]?.id ?? "";
  const person: AuditOrigin = { ...systemOrigin, actor: { type: "person", id: "per_1", applicationId: null } };
  await store.platform
    .from(person)
    .inAccount(accountId, ({ gateway }) => gateway.sandboxClocks.advance({ accountId, seconds: 3_000 }), {
      isAlone: true,
    });
  expect(await opened("a")).toEqual([
    { name: "a before", created_at: new Date(began + minute) },
    { name: "a after", created_at: new Date(began + minute) },
  ]);
  expect(await items()).toMatchObject([
    { kind: "fact.tell", fires_at: new Date(began + 61 * minute), due_at: new Date(began + 11 * minute) },
  ]);
  const { rows } = await sql`select type, actor_type from audit_events where id > ${lastAudit}`.execute(db);
  expect(rows).toEqual([
    { type: "account.clock_advanced", actor_type: "person" },
    { type: "ledger_account.created", actor_type: "system" },
    { type: "ledger_account.created", actor_type: "system" },
  ]);
});

test("two advances are one of their sum", async () => {
  const armAll = async () => {
    await arm("chain", 5 * minute, { kind: "chain" });
    await arm("a", 12 * minute);
    await arm("b", 33 * minute);
  };
  await armAll();
  await advance(14 * minute);
  await advance(26 * minute);
  const inTwo = ran;
  await store.empty("sandbox_clocks");
  ran = [];
  await armAll();
  await advance(40 * minute);
  expect(ran).toEqual(inTwo);
  expect(ran).toHaveLength(6);
});

test("another account's clock stands still, and what is under way is left alone", async () => {
  await arm("under way", 0);
  const [claimed] = await store.platform.work.queue.claim({ slots: 1, perAccount: 1, heldByAccount: new Map() });
  await arm("theirs", minute, { of: other });
  const before = await items();
  expect(await advance(10 * minute)).toMatchObject({ transitions: 0, remaining: 0 });
  expect(await items()).toEqual(before);
  const isHeld = store.platform.transaction((services) => services.work.queue.hold(claimed ?? expect.unreachable()));
  expect(await isHeld).toBe(true);
});

describe("what fails", () => {
  test("is undone and left to the worker, which tries it again when its wait is over; the rest goes on", async () => {
    failing.add("bad");
    await arm("bad", minute, { kind: "opens" });
    await arm("good", 2 * minute);
    expect(await advance(10 * minute)).toMatchObject({ transitions: 1, remaining: 1 });
    expect(ran).toEqual([["good", 2 * minute]]);
    expect(await opened("bad")).toEqual([]);
    expect(await items()).toMatchObject([{ subject_id: "bad", attempts: 0, lease: null }]);
    await work();
    expect((await items())[0]).toMatchObject({ subject_id: "bad", attempts: 1, lease: null });
    failing.clear();
    await store.clock.advance(1_000);
    await work();
    expect(ran).toEqual([
      ["good", 2 * minute],
      ["bad", minute],
    ]);
    expect((await opened("bad")).map(({ created_at: at }) => at)).toContainEqual(new Date(began + minute));
  });

  test("of a kind that nobody knows likewise", async () => {
    await arm("a", minute, { kind: "unknown" });
    expect(await advance(minute)).toMatchObject({ transitions: 0, remaining: 1 });
    expect(await items()).toMatchObject([{ kind: "unknown", attempts: 0, lease: null }]);
  });
});

test("when the time of its transaction is half over it begins no more, and the worker runs them", async () => {
  const hurried = createPlatform({ ...store.database, transactionTimeoutMs: 0 }, store.deps);
  await arm("a", minute);
  await arm("b", 2 * minute);
  const advanced = hurried.inAccount(
    accountId,
    ({ gateway }) => gateway.sandboxClocks.advance({ accountId, seconds: 180 }),
    { isAlone: true },
  );
  expect(await advanced).toMatchObject({ transitions: 0, remaining: 2 });
  await work();
  expect(ran).toEqual([
    ["a", minute],
    ["b", 2 * minute],
  ]);
  expect(await items()).toEqual([]);
});

test("of 620 it runs 500 at most, and the next advance goes on in order", async () => {
  for (let number = 0; number < 620; number += 1) {
    // Armed in a different order than that of their times.
    await arm(`s${number}`, ((number * 7) % 620) * 1_000);
  }
  let { transitions, remaining } = await advance(20 * minute);
  expect(transitions).toBeGreaterThan(0);
  while (remaining > 0) {
    expect(transitions).toBeLessThanOrEqual(500);
    expect(transitions + remaining).toBe(620 - ran.length + transitions);
    ({ transitions, remaining } = await advance(1_000));
  }
  expect(ran.map(([, atMs]) => atMs)).toEqual(Array.from({ length: 620 }, (_, number) => number * 1_000));
  await work();
  expect(await items()).toEqual([]);
});

test("while some remain the worker runs them in order, and what they chain in its turn", async () => {
  for (let number = 0; number < 560; number += 1) {
    await arm(`s${number}`, number * 1_000);
  }
  await arm("chain", 555_500, { kind: "chain" });
  const { transitions, remaining } = await advance(60 * minute);
  expect(transitions).toBeLessThanOrEqual(500);
  expect(transitions + remaining).toBe(561);
  await work();
  const times = ran.map(([, atMs]) => atMs);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(ran).toHaveLength(560 + 4);
  expect(await items()).toEqual([]);
});

async function opened(subjectId: string): Promise<{ name: string; created_at: Date }[]> {
  const accounts = store.database.kysely.selectFrom("ledger_accounts").where("name", "like", `${subjectId} %`);
  return accounts.select(["name", "created_at"]).orderBy("id").execute();
}
