import { Problem } from "@gateway/contract";

export function noSuchLedgerTransaction(): Problem {
  return new Problem("NOT_FOUND", "There is no ledger transaction with this id in this account.");
}
