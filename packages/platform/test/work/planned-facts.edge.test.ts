import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Fact } from "@gateway/engine/work";
import { useAll } from "@gateway/testkit";
import { runWorkItem } from "../../src/compose/run-work-item.ts";
import { workHandlers } from "../../src/compose/work-handlers.ts";
import { createWorkStore } from "./work-store.ts";

const accountId = "acc_00000000000000000000000000";
const fact = { type: "settled", paymentId: "pay_1", amountMinor: 5 } as const;
const heard: Fact[] = [];
const store = useAll(
  () =>
    createWorkStore({
      factRoutes: {
        rail: {
          subjectOf: (content) => String(content["paymentId"]),
          apply: async (_services, one) => {
            heard.push(one);
            return one.subjectId === "pay_3" ? "mismatched" : "applied";
          },
        },
      },
    }),
  (made) => made.database.close(),
);

async function tellDue(): Promise<void> {
  const items = await store.platform.work.queue.claim({ slots: 10, perAccount: 10, heldByAccount: new Map() });
  for (const item of items) {
    await runWorkItem(store.platform.workContext(item), workHandlers[item.kind] ?? expect.unreachable(item.kind), item);
  }
}

test("a planned fact comes in when its time has come, once, however often it is planned", async () => {
  const plan = { accountId, facts: [{ port: "rail", factId: "settled pay_1", afterMs: 10_000, fact }] } as const;
  await store.platform.work.plannedFacts.plan(plan);
  await store.platform.work.plannedFacts.plan(plan);
  await tellDue();
  expect(heard).toEqual([]);
  await store.clock.advance(10_000);
  await tellDue();
  await store.platform.work.plannedFacts.plan(plan);
  await store.clock.advance(10_000);
  await tellDue();
  expect(heard).toMatchObject([{ accountId, port: "rail", factId: "settled pay_1", content: fact }]);
  const { rows } = await sql`select from planned_facts union all select from work_items`.execute(store.database.kysely);
  expect(rows).toEqual([]);
});

test("what is planned while it is told otherwise is not told in other words later", async () => {
  const { platform, clock } = store;
  const told = { port: "rail", factId: "settled pay_2" } as const;
  const plan = { accountId, facts: [{ ...told, afterMs: 10_000, fact: { ...fact, paymentId: "pay_2" } }] };
  await platform.transaction(async ({ work }) => {
    const otherwise = { type: "returned", paymentId: "pay_2", amountMinor: 5 } as const;
    expect(await work.plannedFacts.tellInstead({ ...told, accountId, fact: otherwise })).toBe("applied");
    // Planned in another transaction, which does not see this one.
    await platform.work.plannedFacts.plan(plan);
  });
  await clock.advance(10_000);
  await tellDue();
  expect(heard.filter(({ subjectId }) => subjectId === "pay_2")).toMatchObject([{ content: { type: "returned" } }]);
  expect(await platform.work.inbox.listOpen(10)).toEqual([]);
  const { rows } = await sql`select from planned_facts union all select from work_items`.execute(store.database.kysely);
  expect(rows).toEqual([]);
});

test("what does not fit any more when its time has come is no riddle for anybody", async () => {
  const { platform, clock } = store;
  const facts = [
    { port: "rail", factId: "returned pay_3", afterMs: 10_000, fact: { ...fact, paymentId: "pay_3" } },
  ] as const;
  await platform.work.plannedFacts.plan({ accountId, facts });
  await clock.advance(10_000);
  await tellDue();
  expect(heard.filter(({ subjectId }) => subjectId === "pay_3")).toHaveLength(1);
  expect(await platform.work.inbox.listOpen(10)).toEqual([]);
});
