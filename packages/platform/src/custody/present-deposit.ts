import type { Schemas } from "@gateway/contract";
import type { NetworkCode } from "@gateway/ports";
import type { CustodyCurrency } from "./network.ts";
import type { DepositsTable } from "./tables.ts";

export type Deposit = {
  id: string;
  walletId: string;
  addressId: string;
  network: NetworkCode;
  currency: CustodyCurrency;
  amountMinor: number;
  status: DepositsTable["status"];
  transactionHash: string;
  outputIndex: number;
  confirmations: number;
  requiredConfirmations: number;
  factSequence: number;
  createdAt: Date;
  confirmedAt: Date | null;
};

export function presentDeposit(deposit: Deposit): Schemas["CustodyDeposit"] {
  return {
    id: deposit.id,
    walletId: deposit.walletId,
    addressId: deposit.addressId,
    network: deposit.network,
    amount: deposit.amountMinor,
    currency: deposit.currency,
    status: deposit.status,
    transactionHash: deposit.transactionHash,
    outputIndex: deposit.outputIndex,
    confirmations: deposit.confirmations,
    requiredConfirmations: deposit.requiredConfirmations,
    createdAt: deposit.createdAt.toISOString(),
    confirmedAt: deposit.confirmedAt?.toISOString() ?? null,
  };
}
