import { createDatabaseTestClock, waitFor, type TestProcess } from "@gateway/testkit";
import { workLeaseMs } from "@gateway/engine/work";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type Run, type World } from "./support/world.ts";

let world: World;

beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.stop());

const wait = { timeoutMs: 120_000 };

function bySubject(runs: readonly Run[]): Map<string, Run[]> {
  return Map.groupBy(runs, ({ subject_id: subjectId }) => subjectId);
}

/**
 * Number of items that failed at their first run because the database did not respond in time. Each is logged, and run
 * again.
 */
function countLateAnswers(worker: TestProcess): number {
  return worker.stdout().match(/"work failed; it is tried again|"claimed work was not done/g)?.length ?? 0;
}

test("two workers share what is due: each item is run once, by one of them", async () => {
  const clock = await createDatabaseTestClock(world.url, Date.now());
  const env = { HOLD_WORK: "true", WORKER_SLOTS: "40" };
  const workers = await Promise.all([world.startProcess(env), world.startProcess(env)]);
  for (let account = 0; account < 12; account += 1) {
    await world.arm({ accountId: `acc_${account}`, count: 50 });
  }
  // A worker has room for 40 items, and no lease ends while the clock stands still, so both workers must claim some.
  await waitFor(async () => (await world.runs()).length === 80, wait);
  workers.forEach((worker) => worker.signal("SIGUSR2"));
  await waitFor(async () => {
    const items = await world.items();
    // The clock moves once only failed items are left. The wait of a failed item is shorter than a lease.
    await (items.length > 0 && items.every(({ lease }) => lease === null) && clock.advance(1_000));
    return items.length === 0;
  }, wait);
  const runs = await world.runs();
  expect([...Map.groupBy(runs, ({ pid }) => pid).values()].map(({ length }) => length >= 40)).toEqual([true, true]);
  expect(bySubject(runs).size).toBe(600);
  const lateCount = workers.reduce((sum, worker) => sum + countLateAnswers(worker), 0);
  expect(runs.length - 600).toBeLessThanOrEqual(lateCount);
}, 360_000);

test("killed in the midst of an item: another worker runs it when its lease has ended, and not before", async () => {
  const clock = await createDatabaseTestClock(world.url, Date.now());
  await world.arm({ accountId: "acc_a" });
  const first = await world.startProcess({ HOLD_WORK: "true" });
  await waitFor(async () => (await world.runs()).length === 1, wait);
  first.signal("SIGKILL");
  expect(await first.exited).toBeNull();
  const second = await world.startProcess();
  await clock.advance(workLeaseMs - 1);
  await world.arm({ accountId: "acc_b" });
  await waitFor(async () => (await world.items()).length === 1, wait);
  expect((await world.items()).map(({ subject_id: subjectId }) => subjectId)).toEqual(["acc_a_1"]);

  await clock.advance(1);
  await waitFor(async () => (await world.items()).length === 0, wait);
  const [killed, again] = bySubject(await world.runs()).get("acc_a_1") ?? [];
  expect(killed).toMatchObject({ has_ended: false });
  expect(again).toMatchObject({ has_ended: true });
  expect(again?.pid).not.toBe(killed?.pid);
  second.signal("SIGTERM");
  expect(await second.exited).toBe(0);
});

test("SIGTERM under load: exit 0, what was begun is done, the rest is nobody's and as it was", async () => {
  for (let account = 0; account < 10; account += 1) {
    await world.arm({ accountId: `acc_${account}`, count: 20 });
  }
  const worker = await world.startProcess({ HOLD_WORK: "true", WORKER_SLOTS: "20" });
  await waitFor(async () => (await world.runs()).length === 20, wait);
  worker.signal("SIGTERM");
  await worker.printed(/SIGTERM came/);
  worker.signal("SIGUSR2");
  expect(await worker.exited).toBe(0);
  const runs = await world.runs();
  const items = await world.items();
  expect(runs.filter(({ has_ended: hasEnded }) => !hasEnded)).toEqual([]);
  expect(runs).toHaveLength(20);
  expect(items).toHaveLength(180);
  expect(items.filter(({ lease, attempts }) => lease !== null || attempts !== 0)).toEqual([]);
});
