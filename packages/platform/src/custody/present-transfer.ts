import type { Schemas } from "@gateway/contract";
import type { AddressBookEntry } from "./address-book.ts";
import type { Approval } from "./approval.ts";
import type { PolicyRule } from "./judge-transfer.ts";
import type { Transfer } from "./transfer-end.ts";
import type { TransferPolicy } from "./transfer-policy.ts";

export function presentTransfer(transfer: Transfer): Schemas["CustodyTransfer"] {
  return {
    id: transfer.id,
    walletId: transfer.walletId,
    amount: transfer.amount,
    currency: transfer.currency,
    network: transfer.network,
    fee: transfer.fee,
    destinationAddress: transfer.destinationAddress,
    status: transfer.status,
    approvalId: transfer.approvalId,
    initiatedBy: transfer.initiatedBy,
    // Written only by `endTransfer`, which accepts the document's codes.
    failureCode: transfer.failureCode as Schemas["CustodyTransferFailureCode"] | null,
    transactionHash: transfer.transactionHash,
    externalId: transfer.externalId,
    metadata: transfer.metadata,
    createdAt: transfer.createdAt.toISOString(),
    submittedAt: transfer.submittedAt?.toISOString() ?? null,
    broadcastAt: transfer.broadcastAt?.toISOString() ?? null,
    completedAt: transfer.completedAt?.toISOString() ?? null,
  };
}

export function presentApproval(approval: Approval): Schemas["CustodyApproval"] {
  return {
    id: approval.id,
    transferId: approval.transferId,
    walletId: approval.walletId,
    amount: approval.amount,
    currency: approval.currency,
    status: approval.status,
    requiredApprovals: approval.requiredApprovals,
    decisions: [...approval.decisions],
    createdAt: approval.createdAt.toISOString(),
    expiresAt: approval.expiresAt.toISOString(),
    decidedAt: approval.decidedAt?.toISOString() ?? null,
  };
}

export function presentTransferPolicy({ rules, effectiveAt, next }: TransferPolicy): Schemas["TransferPolicy"] {
  return {
    rules: rules.map(presentRule),
    effectiveAt: effectiveAt?.toISOString() ?? null,
    next: next && { rules: next.rules.map(presentRule), effectiveAt: next.effectiveAt.toISOString() },
  };
}

function presentRule({ minimumMinor, ...rule }: PolicyRule): Schemas["TransferPolicyRule"] {
  return { ...rule, minimumAmount: minimumMinor };
}

export function presentAddressBookEntry(entry: AddressBookEntry): Schemas["AddressBookEntry"] {
  return {
    id: entry.id,
    network: entry.network,
    address: entry.address,
    name: entry.name,
    status: entry.isActive ? "active" : "pending",
    activeFrom: entry.activeFrom.toISOString(),
    createdAt: entry.createdAt.toISOString(),
  };
}
