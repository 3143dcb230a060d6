import { createLogger } from "@gateway/kernel";
import { waitFor } from "@gateway/testkit";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { deleteInBatches, startMaintenance } from "../src/index.ts";

const logger = createLogger({ name: "test", level: "silent" });

test("rounds follow one another, one at a time, also after one that fails", async () => {
  let underWay = 0;
  let rounds = 0;
  const maintenance = startMaintenance({
    intervalMs: 1,
    logger,
    tidy: async () => {
      underWay += 1;
      expect(underWay).toBe(1);
      for (let turn = 0; turn < 100; turn += 1) {
        await setImmediate();
      }
      underWay -= 1;
      rounds += 1;
      if (rounds === 1) {
        throw new Error("in the way");
      }
    },
  });
  await waitFor(() => rounds >= 3);
  await maintenance.stop();
  expect(underWay).toBe(0);
});

test("a stop does not wait for the next round, and makes none", async () => {
  let rounds = 0;
  const maintenance = startMaintenance({ logger, tidy: async () => void (rounds += 1) });
  await maintenance.stop();
  expect(rounds).toBe(0);
});

test("a full batch is followed by the next, one that is not full is the last", async () => {
  const left = [10, 10, 3, 10];
  await deleteInBatches(async () => left.shift() ?? 0, { batchSize: 10 });
  expect(left).toEqual([10]);
});
