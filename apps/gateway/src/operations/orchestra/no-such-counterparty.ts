import { Problem } from "@gateway/contract";

export function noSuchCounterparty(): Problem {
  return new Problem("NOT_FOUND", "There is no counterparty with this id in this account.");
}
