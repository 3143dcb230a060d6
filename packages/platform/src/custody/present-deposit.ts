import type { NounOf } from "@gateway/engine/noun";
import type { Selectable } from "kysely";
import type { Schemas } from "@gateway/contract";
import type { DepositsTable } from "./tables.ts";

export type Deposit = NounOf<Selectable<DepositsTable>>;

export function presentDeposit(deposit: Deposit): Schemas["CustodyDeposit"] {
  return {
    id: deposit.id,
    walletId: deposit.walletId,
    addressId: deposit.addressId,
    network: deposit.network,
    amount: deposit.amount,
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
