import type { Schemas } from "@gateway/contract";
import type { NounOf } from "@gateway/engine/noun";
import type { WalletRow } from "./tables.ts";

/** Minor units of the currency. */
export type WalletBalance = { availableMinor: number; pendingMinor: number; heldMinor: number };
export type Wallet = WalletBalance & NounOf<Omit<WalletRow, "available" | "pending" | "held">>;

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
