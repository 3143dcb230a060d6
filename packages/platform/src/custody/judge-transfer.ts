import type { Currency } from "@gateway/kernel";
import { complianceThreshold } from "../ledger/index.ts";
import { networks, type CustodyCurrency } from "./network.ts";

export type PolicyRule = {
  currency: CustodyCurrency | "any";
  minimumMinor: number;
  destination: "any" | "address_book";
  action: "allow" | "require_approval" | "block";
  /** Null unless the action is `require_approval`. */
  requiredApprovals: number | null;
};

export type Judgement =
  | { action: "allow" }
  | { action: "require_approval"; requiredApprovals: number }
  | { action: "block" };

/** Rules that every account begins with: one approval for amounts at or above the threshold. */
export const defaultRules: readonly PolicyRule[] = [
  ...networks.map(({ currency }): PolicyRule => ({
    currency,
    minimumMinor: complianceThreshold[currency],
    destination: "any",
    action: "require_approval",
    requiredApprovals: 1,
  })),
  { currency: "any", minimumMinor: 0, destination: "any", action: "allow", requiredApprovals: null },
];

export type TransferToJudge = {
  currency: Currency;
  /** Includes transfers within a day before, so it may pass 2^53. */
  sumMinor: bigint;
  isInAddressBook: boolean;
  /** Whether the holder of the credential is known. An operator's key may be held by any owner. */
  isHolderKnown: boolean;
};

/**
 * Applies the first rule that matches; without one the transfer is blocked. The holder of a key that an operator made
 * may be any of the owners who approve. Such a transfer therefore needs one approval more than the rule requires.
 */
export function judgeTransfer(
  rules: readonly PolicyRule[],
  { currency, sumMinor, isInAddressBook, isHolderKnown }: TransferToJudge,
): Judgement {
  const rule = rules.find(
    (one) =>
      (one.currency === "any" || one.currency === currency) &&
      sumMinor >= BigInt(one.minimumMinor) &&
      (one.destination === "any" || isInAddressBook),
  );
  if (!rule || rule.action === "block") {
    return { action: "block" };
  }
  return rule.action === "allow"
    ? { action: "allow" }
    : {
        action: "require_approval",
        requiredApprovals: (rule.requiredApprovals ?? 1) + (isHolderKnown ? 0 : 1),
      };
}
