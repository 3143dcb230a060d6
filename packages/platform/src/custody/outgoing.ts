import type { Kysely } from "kysely";
import { createAddressBook, type AddressBook } from "./address-book.ts";
import { createApprovals, type Approvals } from "./approval.ts";
import type { OutgoingTables } from "./outgoing-tables.ts";
import type { OutgoingDeps } from "./transfer-deps.ts";
import { createTransfers, type Transfers } from "./transfer.ts";
import { createTransferPolicies, type TransferPolicies } from "./transfer-policy.ts";

export { maxAddressBookEntries, type AddressBookEntry } from "./address-book.ts";
export { expireApprovalKind, type Approval } from "./approval.ts";
export type { TransferInitiator } from "./outgoing-tables.ts";
export {
  presentAddressBookEntry,
  presentApproval,
  presentTransfer,
  presentTransferPolicy,
} from "./present-transfer.ts";
export { submitTransferKind } from "./transfer-end.ts";
export { chainFactIds, transferRoute, transferWork } from "./transfer-work.ts";
export type { Transfer } from "./transfer-view.ts";
export type { TransferPolicy } from "./transfer-policy.ts";

export type Outgoing = {
  transfers: Transfers;
  approvals: Approvals;
  transferPolicies: TransferPolicies;
  addressBook: AddressBook;
};

export function createOutgoing(db: Kysely<OutgoingTables>, deps: OutgoingDeps): Outgoing {
  return {
    transfers: createTransfers(db, deps),
    approvals: createApprovals(db, deps),
    transferPolicies: createTransferPolicies(db, deps),
    addressBook: createAddressBook(db, deps),
  };
}
