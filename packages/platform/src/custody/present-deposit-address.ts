import type { Schemas } from "@gateway/contract";
import type { DepositAddress } from "./deposit-address.ts";

export function presentDepositAddress(address: DepositAddress): Schemas["CustodyDepositAddress"] {
  return {
    id: address.id,
    walletId: address.walletId,
    network: address.network,
    address: address.address,
    externalId: address.externalId,
    metadata: address.metadata,
    createdAt: address.createdAt.toISOString(),
  };
}
