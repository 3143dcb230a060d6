import { Problem } from "@gateway/contract";

/** The same words for another account's delivery and for one that never was, so that ids cannot be probed. */
export function noSuchDelivery(): Problem {
  return new Problem("NOT_FOUND", "There is no delivery with this id in this account.");
}
