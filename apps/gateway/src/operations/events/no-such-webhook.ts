import { Problem } from "@gateway/contract";

/** The same words for another account's webhook, a deleted one and one that never was, so that ids cannot be probed. */
export function noSuchWebhook(): Problem {
  return new Problem("NOT_FOUND", "There is no webhook with this id in this account.");
}
