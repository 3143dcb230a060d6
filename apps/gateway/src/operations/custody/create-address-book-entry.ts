import { notifyOfAddressBook } from "@gateway/platform/acts/notify-owners";
import { presentAddressBookEntry } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";

export const createAddressBookEntry: OperationHandler<"createAddressBookEntry"> = async (call) => {
  const { input, principal, deps } = call;
  const entry = await deps.custody.addressBook.create({ accountId: principal.accountId, ...input.body });
  await notifyOfAddressBook(deps, call, { entry, change: "added" });
  return { status: 201, data: presentAddressBookEntry(entry) };
};
