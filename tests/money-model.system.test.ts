import { expect, test } from "vitest";
import { mustHappen } from "./support/money-model/must-happen.ts";
import { runMoneyModel } from "./support/money-model/run-money-model.ts";

const seed = 20_260_101;
/** Only ends a run that hangs. */
const timeoutMs = 600_000;

test(
  "after every step with money all balances equal the model's, and the judge finds no faults in the books",
  async () => {
    const seen = await runMoneyModel({ sequences: 200, seed });
    expect(mustHappen.filter((what) => !seen.has(what))).toEqual([]);
  },
  timeoutMs,
);
