import { Problem } from "@gateway/contract";

export function noSuchPayment(): Problem {
  return new Problem("NOT_FOUND", "There is no payment with this id in this account.");
}
