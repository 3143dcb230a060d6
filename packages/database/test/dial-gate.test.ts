import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDialGate } from "../src/dial-gate.ts";

type Dial = { begunShut: boolean; hasSettled: boolean; settle: PromiseWithResolvers<void>; abort: AbortController };

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A gate whose pauses end when a test says so, and whose dials succeed or fail as it says. */
function createWorld({ random = 0 }: { random?: number } = {}) {
  const pausesMs: number[] = [];
  const pauses: (() => void)[] = [];
  const begun: Dial[] = [];
  const outcomes: string[] = [];
  const gate = createDialGate({
    pause: (ms) => {
      pausesMs.push(ms);
      return new Promise<void>((resolve) => pauses.push(resolve));
    },
    random: () => random,
  });
  const aborts: AbortController[] = [];
  const arrive = async (): Promise<void> => {
    const abort = new AbortController();
    aborts.push(abort);
    const passing = gate.pass(async () => {
      const dial: Dial = {
        begunShut: gate.isShut(),
        hasSettled: false,
        settle: Promise.withResolvers<void>(),
        abort,
      };
      begun.push(dial);
      abort.signal.addEventListener("abort", () => dial.settle.reject(abort.signal.reason));
      await dial.settle.promise.finally(() => (dial.hasSettled = true));
    }, abort.signal);
    void passing.then(
      () => outcomes.push("connected"),
      () => outcomes.push(abort.signal.aborted ? "aborted" : "failed"),
    );
    await settled();
  };
  const inFlight = (): Dial[] => begun.filter(({ hasSettled }) => !hasSettled);
  const settle = async (index: number, outcome: "connected" | "failed"): Promise<void> => {
    const dial = inFlight()[index % Math.max(1, inFlight().length)];
    if (outcome === "connected") {
      dial?.settle.resolve();
    } else {
      dial?.settle.reject(new Error("refused"));
    }
    await settled();
  };
  const endPause = async (): Promise<void> => {
    pauses.shift()?.();
    await settled();
  };
  return {
    ...{ gate, pausesMs, pauses, outcomes, aborts, arrive, inFlight, settle, endPause },
    abort: async (index: number): Promise<void> => {
      aborts[index % Math.max(1, aborts.length)]?.abort(new Error("aborted"));
      await settled();
    },
  };
}

const step = fc.oneof(
  fc.constant({ kind: "arrive" } as const),
  fc.record({
    kind: fc.constant("settle" as const),
    index: fc.nat(20),
    outcome: fc.constantFrom("connected", "failed"),
  }),
  fc.record({ kind: fc.constant("abort" as const), index: fc.nat(20) }),
  fc.constant({ kind: "endPause" } as const),
);

test("in any order of dials that fail, succeed and are aborted: shut, one dial at a time and none in a pause; open, none waits", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const world = createWorld();
      let arrived = 0;
      for (const one of steps) {
        const before = world.inFlight();
        const wasPausing = world.pauses.length > 0 && world.gate.isShut();
        if (one.kind === "arrive") {
          arrived += 1;
          await world.arrive();
        } else if (one.kind === "settle") {
          await world.settle(one.index, one.outcome);
        } else if (one.kind === "abort") {
          await world.abort(one.index);
        } else {
          await world.endPause();
        }
        const after = world.inFlight();
        if (world.gate.isShut()) {
          expect(after.filter(({ begunShut }) => begunShut).length).toBeLessThanOrEqual(1);
          if (wasPausing && one.kind !== "endPause") {
            expect(after.filter((dial) => !before.includes(dial))).toEqual([]);
          }
        } else {
          expect(after.length + world.outcomes.length).toBe(arrived);
        }
      }
      // The server is back: everybody gets a connection.
      for (let round = 0; world.outcomes.length < arrived; round += 1) {
        expect(round).toBeLessThan(3 * arrived + 3);
        await world.endPause();
        await world.settle(0, "connected");
      }
      expect(world.outcomes.length).toBe(arrived);
    }),
    { numRuns: 500 },
  );
});

describe("the pause behind a failure", () => {
  const pausesOf = async ({ random }: { random: number }): Promise<number[]> => {
    const world = createWorld({ random });
    for (let failures = 0; failures < 9; failures += 1) {
      await world.arrive();
      await world.settle(0, "failed");
      await world.endPause();
    }
    return world.pausesMs;
  };

  test("doubles to 2 s", async () => {
    expect(await pausesOf({ random: 0 })).toEqual([50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]);
  });

  test("is as little as half of that, by chance", async () => {
    expect(await pausesOf({ random: 1 })).toEqual([25, 50, 100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });

  test("begins anew when a dial has succeeded", async () => {
    const { arrive, settle, endPause, pausesMs } = createWorld();
    for (const outcome of ["failed", "failed", "connected", "failed"] as const) {
      await arrive();
      await settle(0, outcome);
      await endPause();
    }
    expect(pausesMs).toEqual([50, 100, 50]);
  });

  test("is the first one for dials that fail together", async () => {
    const { arrive, settle, pausesMs } = createWorld();
    await Promise.all(Array.from({ length: 10 }, arrive));
    for (let failures = 0; failures < 10; failures += 1) {
      await settle(0, "failed");
    }
    expect(pausesMs).toEqual([50]);
  });
});
