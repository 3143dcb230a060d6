import { createTypeId } from "@gateway/kernel";
import { waitFor, useAll } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  alarmingAttempts,
  retryWaitMs,
  workDueChannel,
  workLeaseMs,
  type WorkItem,
  type WorkQueue,
} from "@gateway/engine/work";
import { runWorkItem, type PlatformHandler } from "../../src/compose/run-work-item.ts";
import { createWorkStore } from "./work-store.ts";

const second = 1_000;

const store = useAll(createWorkStore, (made) => made.database.close());
let queue: WorkQueue;

beforeAll(async () => {
  ({ queue } = store.platform.work);
});
beforeEach(() => store.empty());

type Timer = { accountId?: string; kind?: string; subjectId?: string; inMs?: number };

async function arm({ accountId = "acc_a", kind = "tick", subjectId = createTypeId("sub"), inMs = 0 }: Timer = {}) {
  await queue.arm({ accountId, kind, subjectId, firesAt: new Date(store.clock.now() + inMs) });
  return subjectId;
}

type Limits = Partial<Parameters<WorkQueue["claim"]>[0]>;

function claim(limits: Limits = {}): Promise<WorkItem[]> {
  return queue.claim({ slots: 100, perAccount: 100, heldByAccount: new Map(), ...limits });
}

async function claimOne(): Promise<WorkItem> {
  const [item, ...others] = await claim();
  if (!item || others.length > 0) {
    throw new Error("Not one item was due.");
  }
  return item;
}

const ends: PlatformHandler = async () => async () => null;

function run(handler: PlatformHandler, item: WorkItem) {
  return runWorkItem(store.platform.workContext(item), handler, item);
}

function rows() {
  return store.database.kysely.selectFrom("work_items").selectAll().orderBy("due_at").orderBy("id").execute();
}

describe("what is claimed", () => {
  test("is due", async () => {
    const later = await arm({ inMs: -1 * second });
    const first = await arm({ inMs: -2 * second });
    await arm({ inMs: 1 });
    const items = await claim();
    expect(items.map(({ subjectId }) => subjectId).toSorted()).toEqual([first, later].toSorted());
    expect(items[0]).toMatchObject({ accountId: "acc_a", kind: "tick", attempts: 1 });
    expect((await claim({ slots: 1 })).map(({ subjectId }) => subjectId)).toEqual([]);
  });

  test("when there are fewer slots, the oldest", async () => {
    await arm({ inMs: -1 * second });
    const first = await arm({ inMs: -2 * second });
    expect((await claim({ slots: 1 })).map(({ subjectId }) => subjectId)).toEqual([first]);
  });

  test("is nobody else's until its lease ends, and then again everybody's", async () => {
    await arm();
    const { lease } = await claimOne();
    await store.clock.advance(workLeaseMs - 1);
    expect(await claim()).toEqual([]);
    expect(await queue.findNextDueMs()).toBe(store.clock.now() + 1);
    await store.clock.advance(1);
    const again = await claimOne();
    expect(again).toMatchObject({ attempts: 2 });
    expect(again.lease).not.toBe(lease);
  });

  test("is each item once, however many claim at the same moment", async () => {
    const subjects = await Promise.all(
      Array.from({ length: 60 }, (_, index) => arm({ accountId: `acc_${index % 9}` })),
    );
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim({ slots: 10 })));
    claims.push(await claim());
    const claimed = claims.flat().map(({ subjectId }) => subjectId);
    expect(claimed.toSorted()).toEqual(subjects.toSorted());
  });

  test("is no more of one account than its share, those it holds counted", async () => {
    for (let index = 0; index < 12; index += 1) {
      await arm({ inMs: -index - 10 });
    }
    const other = await arm({ accountId: "acc_b" });
    const items = await claim({ perAccount: 5, heldByAccount: new Map([["acc_a", 2]]) });
    expect(items.filter(({ accountId }) => accountId === "acc_a")).toHaveLength(3);
    expect(items.filter(({ accountId }) => accountId === "acc_b").map(({ subjectId }) => subjectId)).toEqual([other]);
    expect(await claim({ perAccount: 5, heldByAccount: new Map([["acc_a", 7]]) })).toEqual([]);
  });

  test("is every account's, also behind 10,000 older ones of one, and in turn when there are many such accounts", async () => {
    await sql`
      insert into work_items (account_id, id, kind, subject_id, fires_at, due_at)
      select 'acc_a', 'wki_' || n, 'tick', 'sub_' || n, gateway_now(), gateway_now() - interval '1 hour'
      from generate_series(1, 10000) n
      union all
      select 'acc_b' || lpad(n::text, 4, '0'), 'wki_b' || n, 'tick', 'sub_b' || n, gateway_now(), gateway_now()
      from generate_series(1, 700) n
    `.execute(store.database.kysely);
    const held = new Map([["acc_a", 20]]);
    const seen = new Set<string>();
    await waitFor(async () => {
      const items = await claim({ perAccount: 20, heldByAccount: held });
      items.forEach(({ accountId }) => seen.add(accountId));
      return seen.size === 700;
    });
    expect(seen.has("acc_a")).toBe(false);
    expect(await claim({ slots: 30, perAccount: 20 })).toHaveLength(20);
  });
});

describe("one item for a kind and subject", () => {
  test("is armed once, and stays as it was", async () => {
    const subjectId = await arm();
    await arm({ subjectId, inMs: 5 * second });
    await arm({ subjectId, kind: "tock", inMs: 5 * second });
    await arm({ subjectId, accountId: "acc_b", inMs: 6 * second });
    const { kysely } = store.database;
    expect(
      (await kysely.selectFrom("work_items").select(["account_id", "kind"]).orderBy("due_at").execute()) as unknown,
    ).toEqual([
      { account_id: "acc_a", kind: "tick" },
      { account_id: "acc_a", kind: "tock" },
      { account_id: "acc_b", kind: "tick" },
    ]);
  });
});

describe("a handler", () => {
  test("ends its item with what it does, in one transaction", async () => {
    await arm();
    const outcome = await run(
      async () => async (services) => {
        await services.work.queue.arm({ accountId: "acc_a", kind: "next", subjectId: "s", firesAt: new Date(0) });
        return null;
      },
      await claimOne(),
    );
    expect(outcome).toBe("done");
    expect(await rows()).toMatchObject([{ account_id: "acc_a", kind: "next" }]);
  });

  test("arms its item again, from the time it fired and not from when somebody came to it", async () => {
    await arm();
    await store.clock.advance(3 * second);
    const item = await claimOne();
    const outcome = await run(
      async ({ firesAt }) =>
        async () =>
          new Date(firesAt.getTime() + 10 * second),
      item,
    );
    expect(outcome).toBe("rearmed");
    const due = new Date(item.firesAt.getTime() + 10 * second);
    expect(await rows()).toMatchObject([{ due_at: due, fires_at: due, lease: null, attempts: 0 }]);
  });

  test("that throws has done nothing", async () => {
    await arm();
    const item = await claimOne();
    const running = run(
      async () => async (services) => {
        await services.work.queue.arm({ accountId: "acc_a", kind: "next", subjectId: "s", firesAt: new Date(0) });
        throw new Error("no");
      },
      item,
    );
    await expect(running).rejects.toThrow("no");
    expect(await rows()).toMatchObject([{ account_id: "acc_a", lease: item.lease }]);
  });

  test("whose lease was lost does nothing, and takes nothing from who has it now", async () => {
    await arm();
    const late = await claimOne();
    await store.clock.advance(workLeaseMs);
    const item = await claimOne();
    let ran = 0;
    const handler: PlatformHandler = async () => async () => {
      ran += 1;
      return null;
    };
    expect(await run(handler, late)).toBe("lost");
    await queue.fail(late);
    await queue.release([late]);
    expect(ran).toBe(0);
    expect(await rows()).toMatchObject([{ lease: item.lease, attempts: 2 }]);
    expect(await run(handler, item)).toBe("done");
    expect(await run(handler, item)).toBe("lost");
    expect(ran).toBe(1);
  });

  test("of two that have claimed the same item, one acts", async () => {
    await arm();
    const item = await claimOne();
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => run(ends, item)));
    expect(outcomes.toSorted()).toEqual(["done", ...Array.from({ length: 7 }, () => "lost")]);
  });
});

describe("what fails", () => {
  test("is tried again after 1 s, then after twice as long each time, up to 5 min", () => {
    expect([1, 2, 3, 4, 9, 10, 20, 5_000].map(retryWaitMs)).toEqual(
      [1, 2, 4, 8, 256, 300, 300, 300].map((seconds) => seconds * second),
    );
  });

  test("waits, is kept, and is counted from its 20th failure on", async () => {
    await arm();
    for (let attempt = 1; attempt <= alarmingAttempts; attempt += 1) {
      expect((await queue.measure()).failingCount).toBe(0);
      const item = await claimOne();
      expect(item.attempts).toBe(attempt);
      await queue.fail(item);
      expect(await queue.findNextDueMs()).toBe(store.clock.now() + retryWaitMs(attempt));
      await store.clock.advance(retryWaitMs(attempt));
    }
    expect(await queue.measure()).toEqual({ dueCount: 1, oldestDueMs: 0, failingCount: 1 });
    await run(ends, await claimOne());
    expect(await queue.measure()).toEqual({ dueCount: 0, oldestDueMs: 0, failingCount: 0 });
  });
});

test("what was claimed and not begun is given back as it was", async () => {
  await arm({ inMs: -5 * second });
  await queue.release(await claim());
  expect(await rows()).toMatchObject([{ lease: null, attempts: 0, due_at: new Date(store.clock.now()) }]);
});

test("what is due is measured, what is claimed and what waits is not", async () => {
  await arm({ inMs: -8 * second });
  await arm({ inMs: -9 * second });
  await arm({ inMs: -10 * second });
  await arm({ inMs: 1 });
  await claim({ slots: 1 });
  expect(await queue.measure()).toEqual({ dueCount: 2, oldestDueMs: 9 * second, failingCount: 0 });
});

test("an item that is due within a second is heard of as it is committed, one that waits is not", async () => {
  const heard: string[] = [];
  const ready = Promise.withResolvers<void>();
  const listener = store.database.listen(workDueChannel, {
    onNotification: (payload) => heard.push(payload),
    onReady: () => ready.resolve(),
    onLost: ready.reject,
  });
  try {
    await ready.promise;
    await arm({ inMs: 2 * second });
    await arm({ inMs: second });
    await waitFor(() => heard.length > 0);
    expect(heard).toEqual([""]);
  } finally {
    await listener.close();
  }
});
