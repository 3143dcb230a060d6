import type { Schemas } from "@gateway/contract";
import type { Deposit } from "./deposit.ts";

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
