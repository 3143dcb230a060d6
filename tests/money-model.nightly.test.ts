import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { mustHappen } from "./support/money-model/must-happen.ts";
import { runMoneyModel } from "./support/money-model/run-money-model.ts";

/** Replays a failing night with the seed that it printed. */
const { MONEY_MODEL_SEED: given } = process.env;
const sequences = 4_000;
const timeoutMs = 3 * 3_600_000;

test(
  `the same holds for ${sequences} sequences with a random seed`,
  async () => {
    const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
    console.log(`MONEY_MODEL_SEED=${seed}`);
    const seen = await runMoneyModel({ sequences, seed });
    expect(mustHappen.filter((what) => !seen.has(what))).toEqual([]);
  },
  timeoutMs,
);
