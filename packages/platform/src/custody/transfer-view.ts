import type { NetworkCode } from "@gateway/ports";
import type { CustodyCurrency } from "./network.ts";
import type { TransferInitiator, TransferStatus } from "./outgoing-tables.ts";
import type { TransferRow } from "./transfer-end.ts";

export type Transfer = {
  id: string;
  walletId: string;
  amountMinor: number;
  currency: CustodyCurrency;
  network: NetworkCode;
  feeMinor: number;
  destinationAddress: string;
  status: TransferStatus;
  approvalId: string | null;
  initiatedBy: TransferInitiator;
  failureCode: string | null;
  transactionHash: string | null;
  externalId: string | null;
  metadata: Record<string, string>;
  createdAt: Date;
  submittedAt: Date | null;
  broadcastAt: Date | null;
  completedAt: Date | null;
};

export function transferOf(row: TransferRow): Transfer {
  return {
    id: row.id,
    walletId: row.wallet_id,
    amountMinor: row.amount,
    currency: row.currency,
    network: row.network,
    feeMinor: row.fee,
    destinationAddress: row.destination_address,
    status: row.status,
    approvalId: row.approval_id,
    initiatedBy: row.initiated_by,
    failureCode: row.failure_code,
    transactionHash: row.transaction_hash,
    externalId: row.external_id,
    metadata: row.metadata,
    createdAt: row.created_at,
    submittedAt: row.submitted_at,
    broadcastAt: row.broadcast_at,
    completedAt: row.completed_at,
  };
}
