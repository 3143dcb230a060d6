import { Problem } from "@gateway/contract";

/** The same words for another account's deposit and one that never was, so that ids cannot be probed. */
export function noSuchDeposit(): Problem {
  return new Problem("NOT_FOUND", "There is no deposit with this id in this account.");
}
