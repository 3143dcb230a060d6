import type { Schemas } from "@gateway/contract";
import type { Wallet } from "./wallet.ts";

export function presentWallet(wallet: Wallet): Schemas["Wallet"] {
  return {
    id: wallet.id,
    name: wallet.name,
    currency: wallet.currency,
    balance: { available: wallet.availableMinor, pending: wallet.pendingMinor },
    metadata: wallet.metadata,
    createdAt: wallet.createdAt.toISOString(),
  };
}
