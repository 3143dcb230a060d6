import type { Schemas } from "@gateway/contract";
import type { Wallet, WalletBalance } from "./wallet.ts";

export function presentWallet(wallet: Wallet): Schemas["Wallet"] {
  return {
    id: wallet.id,
    name: wallet.name,
    currency: wallet.currency,
    status: wallet.status,
    balance: presentBalance(wallet),
    externalId: wallet.externalId,
    metadata: wallet.metadata,
    createdAt: wallet.createdAt.toISOString(),
  };
}

export function presentBalance({ availableMinor, pendingMinor, heldMinor }: WalletBalance): Schemas["Balance"] {
  return { available: availableMinor, pending: pendingMinor, held: heldMinor };
}
