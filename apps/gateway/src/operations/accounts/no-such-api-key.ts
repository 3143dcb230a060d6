import { Problem } from "@gateway/contract";

/** The same words for another account's key and for one that never was, so that ids cannot be probed. */
export function noSuchApiKey(): Problem {
  return new Problem("NOT_FOUND", "There is no API key with this id in this account.");
}
