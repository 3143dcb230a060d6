import type { Kysely } from "kysely";
import type { Accounts } from "../accounts/index.ts";
import type { Ledger } from "../ledger/index.ts";
import type { OutsidePorts } from "@gateway/ports";
import type { WorkService } from "@gateway/engine/work";
import { createAddressBook, type AddressBook, type AddressBookDeps } from "./address-book.ts";
import { createApprovals, type ApprovalDeps, type Approvals } from "./approval.ts";
import type { OutgoingTables } from "./outgoing-tables.ts";
import type { TransferDeps } from "./transfer-deps.ts";
import { createTransfers, type Transfers } from "./transfer.ts";
import { createTransferPolicies, type TransferPolicies, type TransferPolicyDeps } from "./transfer-policy.ts";

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

export type OutgoingDeps = Pick<
  AddressBookDeps & TransferDeps,
  "accountNow" | "createId" | "cursors" | "inAccount" | "recordAudit"
> & {
  accounts: Accounts;
  ledger: Ledger;
  work: WorkService;
  ports: Pick<OutsidePorts, "chain">;
  livemode: boolean;
};

/** As many as a rule may ask for: there is nobody else in most accounts of the sandbox. */
const simulatedOwners = 5;

export function createOutgoing(
  db: Kysely<OutgoingTables>,
  { accounts, ledger, work, ports, livemode, ...others }: OutgoingDeps,
): Outgoing {
  const deps: AddressBookDeps & ApprovalDeps & TransferDeps & TransferPolicyDeps = {
    ...others,
    post: ledger.post,
    findWallet: ledger.wallets.get,
    arm: work.queue.arm,
    resume: work.inbox.resume,
    listOwners: accounts.people.listOwners,
    listMakers: accounts.apiKeys.listMakers,
    simulatedOwners: livemode ? 0 : simulatedOwners,
    ports,
    livemode,
  };
  return {
    transfers: createTransfers(db, deps),
    approvals: createApprovals(db, deps),
    transferPolicies: createTransferPolicies(db, deps),
    addressBook: createAddressBook(db, deps),
  };
}
