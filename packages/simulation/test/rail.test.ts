import { railFactIds } from "@gateway/platform/orchestra";
import type { PlannedFact } from "@gateway/ports";
import { expect, test } from "vitest";
import { createSimulatedRail, railDelayMs } from "../src/rail.ts";

const order = { accountId: "acc_1", paymentId: "pay_1", amountMinor: 500, currency: "EUR" } as const;
const settled = { type: "settled", paymentId: "pay_1", amountMinor: 500 };

async function planned(
  ask: (rail: ReturnType<typeof createSimulatedRail>) => Promise<unknown>,
): Promise<PlannedFact[]> {
  const facts: PlannedFact[] = [];
  await ask(createSimulatedRail(async (plan) => void facts.push(...plan.facts)));
  return facts;
}

test.each([
  ["sepa", 10_000],
  ["faster_payments", 10_000],
  ["ach", 86_400_000],
  ["zengin", 3_600_000],
] as const)("%s settles after %i ms", async (rail, afterMs) => {
  const facts = await planned((simulated) => simulated.submit({ ...order, rail, accountNumber: "0001-001-1234567" }));
  expect(facts).toEqual([{ port: "rail", factId: railFactIds.outcome("pay_1"), afterMs, fact: settled }]);
  expect(railDelayMs[rail]).toBe(afterMs);
});

test.each([
  ["0001", [{ afterMs: 10_000, fact: { type: "refused", paymentId: "pay_1", code: "rail_refused" } }]],
  [
    "0002",
    [
      { afterMs: 10_000, fact: settled },
      { afterMs: 3_610_000, fact: { type: "returned", paymentId: "pay_1", amountMinor: 500 } },
    ],
  ],
  ["0003", []],
])("an account number that ends %s: %j", async (end, expected) => {
  const facts = await planned((rail) => rail.submit({ ...order, rail: "sepa", accountNumber: `200000-5577${end}` }));
  expect(facts).toMatchObject(expected);
  expect(facts).toHaveLength(expected.length);
});

test("asked to take one back, it says that it expired, under the name that its outcome has", async () => {
  expect(await planned((rail) => rail.cancel({ accountId: "acc_1", paymentId: "pay_1" }))).toEqual([
    {
      port: "rail",
      factId: railFactIds.outcome("pay_1"),
      afterMs: 0,
      fact: { type: "refused", paymentId: "pay_1", code: "expired" },
    },
  ]);
});
