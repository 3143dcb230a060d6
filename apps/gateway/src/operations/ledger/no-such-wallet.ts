import { Problem } from "@gateway/contract";

/** The same words for another account's wallet and one that never was, so that ids cannot be probed. */
export function noSuchWallet(): Problem {
  return new Problem("NOT_FOUND", "There is no wallet with this id in this account.");
}
