import { presentAddressBookEntry } from "@gateway/platform/custody";
import { answerPage, type OperationHandler } from "../operation.ts";

export const listAddressBook: OperationHandler<"listAddressBook"> = answerPage(
  (query, { custody }) => custody.addressBook.list(query),
  presentAddressBookEntry,
);
