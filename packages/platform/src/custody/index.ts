import type { CustodyDeps } from "./transfer-deps.ts";
import type { Kysely } from "kysely";
import { createAddressBook } from "./address-book.ts";
import { createApprovals } from "./approval.ts";
import { createDepositAddresses } from "./deposit-address.ts";
import { createDeposits } from "./deposit.ts";
import { createNetworks } from "./network.ts";
import type { OutgoingTables } from "./tables.ts";
import { createSimulatedDeposits } from "./simulated-deposit.ts";
import type { CustodyTables } from "./tables.ts";
import { createTransfers } from "./transfer.ts";
import { createTransferPolicies } from "./transfer-policy.ts";

export { maxAddressBookEntries, type AddressBookEntry } from "./address-book.ts";
export type { Approval } from "./approval.ts";
export { chainRoute } from "./chain-route.ts";
export type { Deposits } from "./deposit.ts";
export type { Deposit } from "./present-deposit.ts";
export { networks, type Network, type Networks } from "./network.ts";
export type { TransferInitiator } from "./tables.ts";
export { presentDepositAddress } from "./present-deposit-address.ts";
export { presentDeposit } from "./present-deposit.ts";
export { presentNetwork } from "./present-network.ts";
export {
  presentAddressBookEntry,
  presentApproval,
  presentTransfer,
  presentTransferPolicy,
} from "./present-transfer.ts";
export type { CustodyTables } from "./tables.ts";
export type { TransferPolicy } from "./transfer-policy.ts";
export type { Transfer } from "./transfer-end.ts";
export { chainFactIds, transferWork } from "./transfer-work.ts";

export type Custody = ReturnType<typeof createCustody>;

export function createCustody(db: Kysely<CustodyTables>, deps: CustodyDeps) {
  const depositAddresses = createDepositAddresses(db, deps);
  const deposits = createDeposits(db, deps);
  const outgoing = db.$pickTables<keyof OutgoingTables>();
  return {
    networks: createNetworks(deps),
    depositAddresses,
    deposits,
    simulatedDeposits: createSimulatedDeposits(db, { ...deps, depositAddresses, deposits }),
    transfers: createTransfers(outgoing, deps),
    approvals: createApprovals(outgoing, deps),
    transferPolicies: createTransferPolicies(outgoing, deps),
    addressBook: createAddressBook(outgoing, deps),
  };
}
