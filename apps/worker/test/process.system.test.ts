import { moveDatabaseClock, waitFor } from "@gateway/testkit";
import { workLeaseMs } from "@gateway/platform";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type Run, type World } from "./support/world.ts";

let world: World;

beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.stop());

const wait = { timeoutMs: 60_000 };

function bySubject(runs: readonly Run[]): Map<string, Run[]> {
  return Map.groupBy(runs, ({ subject_id: subjectId }) => subjectId);
}

// On a busy machine a transaction may end too late, and its item is run again.
test("two workers share what is due: each item is run once, by one of them", { retry: 2 }, async () => {
  const env = { WORK_MS: "20", WORKER_SLOTS: "40" };
  await Promise.all([world.startProcess(env), world.startProcess(env)]);
  for (let account = 0; account < 12; account += 1) {
    await world.arm({ accountId: `acc_${account}`, count: 50 });
  }
  await waitFor(async () => (await world.items()).length === 0, wait);
  const runs = await world.runs();
  expect(new Set(runs.map(({ pid }) => pid)).size).toBe(2);
  expect(bySubject(runs).size).toBe(600);
  expect(runs).toHaveLength(600);
});

test("killed in the midst of an item: another worker runs it when its lease has ended, and not before", async () => {
  await world.arm({ accountId: "acc_a" });
  const first = await world.startProcess({ WORK_MS: "600000" });
  await waitFor(async () => (await world.runs()).length === 1, wait);
  first.signal("SIGKILL");
  expect(await first.exited).toBeNull();
  const second = await world.startProcess();
  await moveDatabaseClock(world.url, { offsetMs: workLeaseMs / 2 });
  await world.arm({ accountId: "acc_b" });
  await waitFor(async () => (await world.items()).length === 1, wait);
  expect((await world.items()).map(({ subject_id: subjectId }) => subjectId)).toEqual(["acc_a_1"]);

  await moveDatabaseClock(world.url, { offsetMs: workLeaseMs });
  await waitFor(async () => (await world.items()).length === 0, wait);
  const [killed, again] = bySubject(await world.runs()).get("acc_a_1") ?? [];
  expect(killed).toMatchObject({ ended: null });
  expect(again).toMatchObject({ ended: expect.any(Number) });
  expect(again?.pid).not.toBe(killed?.pid);
  second.signal("SIGTERM");
  expect(await second.exited).toBe(0);
});

test("SIGTERM under load: exit 0, what was begun is done, the rest is nobody's and as it was", async () => {
  for (let account = 0; account < 10; account += 1) {
    await world.arm({ accountId: `acc_${account}`, count: 200 });
  }
  const worker = await world.startProcess({ WORK_MS: "100", WORKER_SLOTS: "20" });
  await waitFor(async () => (await world.runs()).length > 60, wait);
  worker.signal("SIGTERM");
  expect(await worker.exited).toBe(0);
  const runs = await world.runs();
  const items = await world.items();
  expect(runs.filter(({ ended }) => ended === null)).toEqual([]);
  expect(runs.length + items.length).toBe(2_000);
  expect(items.filter(({ lease, attempts }) => lease !== null || attempts !== 0)).toEqual([]);
});
