import type { OperationsOf } from "../operation.ts";
import { approveApproval } from "./approve-approval.ts";
import { cancelTransfer } from "./cancel-transfer.ts";
import { createAddressBookEntry } from "./create-address-book-entry.ts";
import { createDepositAddress } from "./create-deposit-address.ts";
import { createTransfer } from "./create-transfer.ts";
import { deleteAddressBookEntry } from "./delete-address-book-entry.ts";
import { getApproval } from "./get-approval.ts";
import { getDeposit } from "./get-deposit.ts";
import { getTransferPolicy } from "./get-transfer-policy.ts";
import { getTransfer } from "./get-transfer.ts";
import { listAddressBook } from "./list-address-book.ts";
import { listApprovals } from "./list-approvals.ts";
import { listDepositAddresses } from "./list-deposit-addresses.ts";
import { listDeposits } from "./list-deposits.ts";
import { listNetworks } from "./list-networks.ts";
import { listTransfers } from "./list-transfers.ts";
import { rejectApproval } from "./reject-approval.ts";
import { replaceTransferPolicy } from "./replace-transfer-policy.ts";
import { simulateApproval } from "./simulate-approval.ts";
import { simulateDepositOutcome } from "./simulate-deposit-outcome.ts";
import { simulateDeposit } from "./simulate-deposit.ts";
import { simulateTransfer } from "./simulate-transfer.ts";

export const custodyOperations = {
  approveApproval,
  cancelTransfer,
  createAddressBookEntry,
  createDepositAddress,
  createTransfer,
  deleteAddressBookEntry,
  getApproval,
  getDeposit,
  getTransfer,
  getTransferPolicy,
  listAddressBook,
  listApprovals,
  listDepositAddresses,
  listDeposits,
  listNetworks,
  listTransfers,
  rejectApproval,
  replaceTransferPolicy,
  simulateApproval,
  simulateDeposit,
  simulateDepositOutcome,
  simulateTransfer,
} satisfies OperationsOf<"custody">;
