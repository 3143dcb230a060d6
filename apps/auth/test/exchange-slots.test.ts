import { describe, expect, test } from "vitest";
import { createExchangeSlots, NoFreeSlotError } from "../src/provider/exchange-slots.ts";

/** Work that ends when the test calls `end`. */
function createWork() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        started.push(name);
        ends.set(name, () => resolve(name));
      }),
    end: (name: string) => ends.get(name)?.(),
  };
}

describe("exchange slots", () => {
  test("no more run at once than there are slots, and the rest in the order of asking", async () => {
    const slots = createExchangeSlots({ slots: 2, maxWaiting: 10, patienceMs: 10_000 });
    const { work, end, started } = createWork();
    expect(slots.areTaken()).toBe(false);
    const all = ["a", "b", "c", "d"].map((name) => slots.run(name, work(name)));
    await Promise.resolve();
    expect(started).toEqual(["a", "b"]);
    expect(slots.areTaken()).toBe(true);
    end("b");
    await all[1];
    end("a");
    await all[0];
    expect(started).toEqual(["a", "b", "c", "d"]);
    end("c");
    end("d");
    expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
  });

  test("works of one key come one after the other, and keep no slot from others", async () => {
    const { run } = createExchangeSlots({ slots: 2, maxWaiting: 10, patienceMs: 10_000 });
    const { work, end, started } = createWork();
    const first = run("key", work("first"));
    const second = run("key", work("second"));
    const other = run("other", work("other"));
    await Promise.resolve();
    expect(started).toEqual(["first", "other"]);
    end("first");
    await first;
    expect(started).toEqual(["first", "other", "second"]);
    end("second");
    end("other");
    await Promise.all([second, other]);
  });

  test("a work that fails frees its slot", async () => {
    const { run } = createExchangeSlots({ slots: 1, maxWaiting: 10, patienceMs: 10_000 });
    await expect(run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await run("a", async () => "yes")).toBe("yes");
  });

  test("whoever waits too long, or comes when too many wait, is turned away", async () => {
    const { run } = createExchangeSlots({ slots: 1, maxWaiting: 1, patienceMs: 20 });
    const { work, end } = createWork();
    const running = run("a", work("a"));
    const waiting = run("b", work("b"));
    await expect(run("c", work("c"))).rejects.toBeInstanceOf(NoFreeSlotError);
    await expect(waiting).rejects.toBeInstanceOf(NoFreeSlotError);
    end("a");
    expect(await running).toBe("a");
    expect(await run("d", async () => "d")).toBe("d");
  });
});
