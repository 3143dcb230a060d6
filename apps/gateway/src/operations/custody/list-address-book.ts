import { presentAddressBookEntry } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { answerPage } from "../answer.ts";

export const listAddressBook: OperationHandler<"listAddressBook"> = answerPage(
  (query, { custody }) => custody.addressBook.list(query),
  presentAddressBookEntry,
);
