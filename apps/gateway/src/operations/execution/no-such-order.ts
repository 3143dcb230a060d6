import { Problem } from "@gateway/contract";

export function noSuchOrder(): Problem {
  return new Problem("NOT_FOUND", "There is no order with this id in this account.");
}
