import { createTypeId } from "@gateway/kernel";
import { moveDatabaseClock, setDatabaseTime } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { packRequests, type RequestBatch } from "../../src/request-log/index.ts";
import { openLogStore, type LogStore } from "./log-store.ts";

let url: string;
let database: LogStore["database"];
let writers: LogStore["writers"];
let log: LogStore["log"];

beforeAll(async () => {
  ({ url, database, writers, log } = await openLogStore());
});

beforeEach(async () => {
  await sql`delete from request_log_writers`.execute(database.kysely);
});

afterAll(() => database.close());

const all = { onlyOf: null, limit: 100 };
const accountOf = (): string => createTypeId("acc");

function batchOf(more: Partial<RequestBatch> = {}): RequestBatch {
  const nowMs = Date.now();
  return {
    writerId: writers.createWriterId(),
    number: 1,
    takenAtMs: nowMs,
    completeBeforeMs: nowMs,
    requests: packRequests([]),
    lost: [],
    ...more,
  };
}

/**
 * Stops the clocks until the test ends. A writer must write within seconds, which a busy machine does not guarantee.
 */
async function stopClocks(): Promise<number> {
  vi.useFakeTimers({ toFake: ["Date"] });
  await setDatabaseTime(url, Date.now());
  onTestFinished(async () => {
    vi.useRealTimers();
    await moveDatabaseClock(url, { offsetMs: 0 });
  });
  return Date.now();
}

describe("a writer that was killed while Postgres was away", () => {
  const minuteMs = 60_000;

  /** A writer that last wrote that long ago. Returns its gap. */
  async function silence(agoMs: number, nowMs: number) {
    const accountId = accountOf();
    const takenAtMs = nowMs - agoMs;
    const batch = batchOf({ completeBeforeMs: takenAtMs - 300, takenAtMs });
    await writers.write(batch);
    const row = database.kysely.updateTable("request_log_writers").where("id", "=", batch.writerId);
    await row.set({ written_at: new Date(takenAtMs) }).execute();
    return async () => {
      const { gaps } = await log.list({ accountId, ...all });
      const containing = gaps.find(({ from, to }) => from.getTime() <= takenAtMs && to.getTime() >= takenAtMs);
      const { rows } = await sql<{ taken_at: Date }>`
        select taken_at from request_log_writers where id = ${batch.writerId}
      `.execute(database.kysely);
      return { hasGap: containing !== undefined, endMs: (rows[0]?.taken_at.getTime() ?? 0) + 5_000 };
    };
  }

  test("has a gap until another one writes again, however long the outage was", async () => {
    const nowMs = await stopClocks();
    const killed = await silence(20 * minuteMs, nowMs);
    const earlier = await silence(25 * minuteMs, nowMs);
    await writers.coverSilence("wri_back");
    expect(await killed()).toEqual({ hasGap: true, endMs: nowMs + 5_000 });
    // It had been silent before, because another writer wrote meanwhile.
    expect(await earlier()).toEqual({ hasGap: true, endMs: nowMs - 25 * minuteMs + 5_000 });
  });

  test("has a gap until a process starts, and a later start moves it no further", async () => {
    const nowMs = await stopClocks();
    const killed = await silence(20 * minuteMs, nowMs);
    await writers.coverSilence("wri_new");
    expect(await killed()).toEqual({ hasGap: true, endMs: nowMs + 5_000 });
    await setDatabaseTime(url, nowMs + 60 * minuteMs);
    await writers.coverSilence("wri_newer");
    expect(await killed()).toEqual({ hasGap: true, endMs: nowMs + 5_000 });
  });

  test("has its own end when others have written since, and nobody started within ten minutes", async () => {
    const nowMs = await stopClocks();
    const [long, lately] = [await silence(20 * minuteMs, nowMs), await silence(9 * minuteMs, nowMs)];
    await writers.write(batchOf({ completeBeforeMs: nowMs, takenAtMs: nowMs }));
    await writers.coverSilence("wri_new");
    expect(await long()).toEqual({ hasGap: true, endMs: nowMs - 20 * minuteMs + 5_000 });
    expect(await lately()).toEqual({ hasGap: true, endMs: nowMs + 5_000 });
  });

  test("and that lives after all has no gap once it writes, and those that write are left alone", async () => {
    const nowMs = await stopClocks();
    const accountId = accountOf();
    const [slow, quick] = [batchOf(), batchOf({ completeBeforeMs: nowMs, takenAtMs: nowMs })];
    await writers.write(slow);
    const row = database.kysely.updateTable("request_log_writers").where("id", "=", slow.writerId);
    await row.set({ written_at: new Date(nowMs - 8_000), taken_at: new Date(nowMs - 8_000) }).execute();
    await writers.write(quick);
    await writers.coverSilence(quick.writerId);
    await writers.write({ ...slow, number: 2, completeBeforeMs: nowMs, takenAtMs: nowMs });
    await setDatabaseTime(url, nowMs + 4_000);
    expect((await log.list({ accountId, ...all })).gaps).toEqual([]);
    const { rows } = await sql<{ at: Date }>`select taken_at as at from request_log_writers`.execute(database.kysely);
    expect(rows.map(({ at }) => at.getTime())).toEqual([nowMs, nowMs]);
  });
});
