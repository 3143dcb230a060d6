import { notifyOfAddressBook } from "@gateway/platform/acts/notify-owners";
import { presentAddressBookEntry } from "@gateway/platform/custody";
import { found, type OperationHandler } from "../operation.ts";

/** Deleting twice succeeds: a client that lost the first response must be able to ask again. */
export const deleteAddressBookEntry: OperationHandler<"deleteAddressBookEntry"> = async (call) => {
  const { input, principal, deps } = call;
  const own = { id: input.path.addressBookEntryId, accountId: principal.accountId };
  const deleted = found("address book entry", await deps.custody.addressBook.delete(own));
  if (deleted.isFirst) {
    await notifyOfAddressBook(deps, call, { entry: deleted.entry, change: "removed" });
  }
  return { status: 200, data: presentAddressBookEntry(deleted.entry) };
};
