import "../support/call-directly.ts";
import { describe } from "vitest";

/** What else holds for every operation, or is told of one, unchanged at the direct addresses. */
const suites = [
  "../state-machines.test.ts",
  "../idempotency.test.ts",
  "../hostile-payload.test.ts",
  "../person-only.test.ts",
  "../lists-by-time.slow.test.ts",
  "../suspended-accounts.test.ts",
  "../wallets.test.ts",
  "../ledger.test.ts",
  "../payments.test.ts",
  "../payments-by-clock.test.ts",
  "../deposits.test.ts",
  "../transfers.test.ts",
  "../approvals.test.ts",
  "../kyc-verifications.test.ts",
  "../market-data.test.ts",
  "../sandbox-prices.test.ts",
  "../prices.test.ts",
  "../orders.test.ts",
  "../orders-attacked.test.ts",
  "../orders-by-clock.test.ts",
  "../portfolio.test.ts",
  "../valuations.slow.test.ts",
  "../open-answers.slow.test.ts",
  "../foreign-filters.test.ts",
  "../bearer.test.ts",
  "../limits.test.ts",
  "../secrets.test.ts",
];

describe.each(suites)("at the direct addresses, %s", async (suite) => {
  await import(suite);
});
