import { Problem } from "@gateway/contract";

export function noSuchTransfer(): Problem {
  return new Problem("NOT_FOUND", "There is no transfer with this id in this account.");
}
