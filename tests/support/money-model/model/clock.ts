import type { Money } from "./state.ts";
import type { Answer } from "./money.ts";
import { handOverOrders } from "./orders.ts";
import { passPayments } from "./payments.ts";
import { passTransfers } from "./transfers.ts";

/** Payments and transfers do not depend on each other, so their order does not matter. */
export function advanceClock(money: Money, { seconds }: { seconds: number }): Answer {
  money.nowMs += seconds * 1_000;
  passPayments(money);
  passTransfers(money);
  handOverOrders(money);
  return "done";
}
