import type { Schemas } from "@gateway/contract";
import type { Network } from "./network.ts";

export function presentNetwork(network: Network): Schemas["CustodyNetwork"] {
  return {
    network: network.code,
    currency: network.currency,
    requiredConfirmations: network.requiredConfirmations,
    blockSeconds: network.blockSeconds,
    transferFee: network.feeMinor,
    minimumTransfer: network.minimumMinor,
  };
}
