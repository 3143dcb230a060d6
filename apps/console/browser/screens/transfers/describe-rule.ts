import type { DataOf } from "../../data/calls.ts";
import { amountText } from "../../parts/shown/values.tsx";

export type Rule = DataOf<"getTransferPolicy">["rules"][number];

export function describeRule({ currency, minimumAmount, destination, action, requiredApprovals }: Rule): string {
  const what =
    currency === "any"
      ? `Any currency${minimumAmount === 0 ? "" : ` from ${minimumAmount.toLocaleString("en")} of its smallest units`}`
      : minimumAmount === 0
        ? currency
        : `From ${amountText(minimumAmount, currency)} ${currency} in 24 hours`;
  const to = destination === "any" ? "to any address" : "to the address book";
  const then = { allow: "goes out", block: "is refused", require_approval: approvalsOf(requiredApprovals) }[action];
  return `${what} ${to}: ${then}`;
}

function approvalsOf(count: number | null): string {
  return count === 1 ? "needs an approval" : `needs ${count} approvals`;
}

export const views = { transfers: "Transfers", rules: "Rules and addresses" };
