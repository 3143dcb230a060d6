import { eventsRecordedChannel } from "@gateway/engine/following";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createWaiters, maxWaitersOfAccount, type Wait, type Waiters } from "../src/waiting/waiters.ts";

const accountId = "acc_1";

let waiters: Waiters;
let isListening: boolean;
/** The page of a read. A page is enough when it has an item. */
let found: string[];
let reads: number;
let isOther: boolean;
let refusal: Error | null;

beforeEach(() => {
  vi.useFakeTimers();
  [isListening, found, reads, isOther, refusal] = [true, [], 0, false, null];
  waiters = createWaiters({ following: { register: async () => {} }, isListening: () => isListening });
});
afterEach(() => {
  vi.useRealTimers();
});

function wait(options: Partial<Wait<string[]>> = {}): { answer: Promise<string[]>; isOver(): boolean } {
  let isOver = false;
  const answer = waiters.until<string[]>({
    ...{ channel: eventsRecordedChannel, accountId, from: "api", seconds: 25 },
    read: async () => {
      reads += 1;
      return found;
    },
    isEnough: (page) => page.length > 0,
    recheck: async () => {
      if (refusal) {
        throw refusal;
      }
      return { isOther };
    },
    signal: new AbortController().signal,
    onWaited: () => {},
    ...options,
  });
  const end = (): void => {
    isOver = true;
  };
  answer.then(end, end);
  return { answer, isOver: () => isOver };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a request that waits", () => {
  test("is answered when its time is over, and not a millisecond before", async () => {
    const one = wait({ seconds: 1 });
    await pass(999);
    expect(one.isOver()).toBe(false);
    await pass(1);
    expect(await one.answer).toEqual([]);
    expect(waiters.count()).toBe(0);
  });

  test("is answered at once when it is told that something was recorded, on its channel and of its account", async () => {
    const one = wait();
    await pass(100);
    found = ["evt_1"];
    waiters.wake(eventsRecordedChannel, "acc_2");
    waiters.wake("another_channel", accountId);
    await pass(0);
    expect(one.isOver()).toBe(false);
    waiters.wake(eventsRecordedChannel, accountId);
    await pass(0);
    expect(await one.answer).toEqual(["evt_1"]);
  });

  test("looks again soon after it was told of something that it cannot see yet", async () => {
    const one = wait();
    await pass(0);
    waiters.wake(eventsRecordedChannel, accountId);
    await pass(0);
    expect(one.isOver()).toBe(false);
    found = ["evt_1"];
    await pass(20);
    expect(await one.answer).toEqual(["evt_1"]);
  });

  test("looks by itself after growing pauses, 5 s at most; every second while nothing is heard", async () => {
    const seen = async (ms: number): Promise<number> => {
      await pass(ms);
      return reads;
    };
    wait();
    expect([await seen(249), await seen(1), await seen(499), await seen(1)]).toEqual([1, 2, 2, 3]);
    expect([await seen(1_000), await seen(2_000), await seen(4_000), await seen(4_999), await seen(1)]).toEqual([
      4, 5, 6, 6, 7,
    ]);
    isListening = false;
    // The pause that has begun, and then pauses of a second.
    expect([await seen(5_000), await seen(1_000), await seen(1_000)]).toEqual([8, 9, 10]);
    waiters.stop();
  });

  test("rejects, with nothing read, when its caller must not be answered any more", async () => {
    const one = wait();
    await pass(100);
    [found, refusal] = [["evt_1"], new Error("revoked")];
    waiters.wakeAccount(accountId);
    await expect(one.answer).rejects.toThrow("revoked");
    expect(reads).toBe(1);
  });

  test("rejects when its caller is refused while it reads", async () => {
    const one = wait({
      read: async () => {
        refusal = reads === 1 ? new Error("revoked") : null;
        reads += 1;
        return reads === 2 ? ["evt_1"] : [];
      },
    });
    await pass(0);
    waiters.wake(eventsRecordedChannel, accountId);
    await expect(one.answer).rejects.toThrow("revoked");
  });

  test("is answered at once, with what it had, when its caller may do something else now, has gone, or the program stops", async () => {
    const gone = new AbortController();
    const [changed, left, stopped] = [wait(), wait({ accountId: "acc_2", signal: gone.signal }), wait()];
    await pass(0);
    found = ["evt_1"];
    isOther = true;
    waiters.wakeAccount(accountId);
    expect(await changed.answer).toEqual([]);
    isOther = false;
    gone.abort();
    expect(await left.answer).toEqual([]);
    expect(await stopped.answer).toEqual([]);
    found = [];
    const last = wait();
    await pass(0);
    waiters.stop();
    expect(await last.answer).toEqual([]);
    expect(await wait().answer).toEqual([]);
    expect(waiters.count()).toBe(0);
  });
});

test.each(["api", "console"] as const)(
  "as many of the %s wait as may of an account, and one more is 429",
  async (from) => {
    const own = Array.from({ length: maxWaitersOfAccount[from] }, () => wait({ from }));
    await pass(0);
    await expect(wait({ from }).answer).rejects.toMatchObject({ code: "RATE_LIMITED" });
    const others = [wait({ from: from === "api" ? "console" : "api" }), wait({ from, accountId: "acc_2" })];
    await pass(0);
    expect(waiters.count()).toBe(own.length + others.length);
    waiters.stop();
    await Promise.all([...own, ...others].map(({ answer }) => answer));
  },
);
