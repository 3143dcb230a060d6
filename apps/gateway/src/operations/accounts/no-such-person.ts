import { Problem } from "@gateway/contract";

/** The same words for another account's person, one who was removed and one who never was, so that ids cannot be probed. */
export function noSuchPerson(): Problem {
  return new Problem("NOT_FOUND", "There is no person with this id in this account.");
}
