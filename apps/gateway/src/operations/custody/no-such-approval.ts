import { Problem } from "@gateway/contract";

export function noSuchApproval(): Problem {
  return new Problem("NOT_FOUND", "There is no approval with this id in this account.");
}
