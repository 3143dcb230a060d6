import { railFactIds } from "@gateway/platform/orchestra";
import type { PlanFacts, PlannedFact, Rail, RailName } from "@gateway/ports";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long each rail takes in the sandbox. */
export const railDelayMs: Readonly<Record<RailName, number>> = {
  sepa: 10 * second,
  faster_payments: 10 * second,
  ach: 24 * hour,
  zengin: hour,
};

/** Ends of account numbers that select an outcome. A payment to any other number is settled. */
export const magicAccountNumbers = { refused: "0001", returned: "0002", silent: "0003" } as const;

export const returnedAfterMs = hour;

/** The end of the account number selects the outcome of a payment. */
export function createSimulatedRail(planFacts: PlanFacts): Rail {
  return {
    submit: async (order) => {
      await planFacts({ accountId: order.accountId, facts: planOutcome(order) });
      return { reference: `SIM-${order.paymentId}` };
    },
    // Has no effect on a payment whose outcome was already reported.
    cancel: ({ accountId, paymentId }) =>
      planFacts({
        accountId,
        facts: [
          {
            port: "rail",
            factId: railFactIds.outcome(paymentId),
            afterMs: 0,
            fact: { type: "refused", paymentId, code: "expired" },
          },
        ],
      }),
  };
}

export function planOutcome({
  paymentId,
  rail,
  amountMinor,
  accountNumber,
}: Pick<Parameters<Rail["submit"]>[0], "paymentId" | "rail" | "amountMinor" | "accountNumber">): PlannedFact[] {
  const afterMs = railDelayMs[rail];
  const outcome = { port: "rail", factId: railFactIds.outcome(paymentId), afterMs } as const;
  if (accountNumber.endsWith(magicAccountNumbers.silent)) {
    return [];
  }
  if (accountNumber.endsWith(magicAccountNumbers.refused)) {
    return [{ ...outcome, fact: { type: "refused", paymentId, code: "rail_refused" } }];
  }
  const settled: PlannedFact = { ...outcome, fact: { type: "settled", paymentId, amountMinor } };
  return accountNumber.endsWith(magicAccountNumbers.returned)
    ? [
        settled,
        {
          port: "rail",
          factId: railFactIds.returned(paymentId),
          afterMs: afterMs + returnedAfterMs,
          fact: { type: "returned", paymentId, amountMinor },
        },
      ]
    : [settled];
}
