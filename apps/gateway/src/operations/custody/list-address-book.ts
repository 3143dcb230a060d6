import { presentAddressBookEntry } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";

export const listAddressBook: OperationHandler<"listAddressBook"> = async ({ input, principal, deps }) => {
  const { accountId } = principal;
  const page = await deps.custody.addressBook.list({ accountId, ...input.query });
  return {
    status: 200,
    data: page.items.map(presentAddressBookEntry),
    meta: { hasMore: page.nextCursor !== null, nextCursor: page.nextCursor },
  };
};
