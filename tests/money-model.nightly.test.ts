import { chooseSeed, recordSeed } from "@gateway/testkit";
import { expect, test } from "vitest";
import { mustHappen } from "./support/money-model/must-happen.ts";
import { runMoneyModel } from "./support/money-model/run-money-model.ts";

const sequences = 4_000;
const timeoutMs = 3 * 3_600_000;

test(
  `the same holds for ${sequences} sequences with a random seed`,
  async () => {
    const seed = chooseSeed();
    recordSeed(seed);
    const seen = await runMoneyModel({ sequences, seed });
    expect(mustHappen.filter((what) => !seen.has(what))).toEqual([]);
  },
  timeoutMs,
);
