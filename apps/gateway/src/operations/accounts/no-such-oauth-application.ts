import { Problem } from "@gateway/contract";

/** The same words for another account's application, a deleted one and one that never was, so that ids cannot be probed. */
export function noSuchOauthApplication(): Problem {
  return new Problem("NOT_FOUND", "There is no OAuth application with this id in this account.");
}
