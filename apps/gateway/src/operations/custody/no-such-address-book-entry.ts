import { Problem } from "@gateway/contract";

export function noSuchAddressBookEntry(): Problem {
  return new Problem("NOT_FOUND", "There is no address book entry with this id in this account.");
}
