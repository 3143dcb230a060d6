import type { Schemas } from "@gateway/contract";
import type { Currency } from "@gateway/kernel";
import type { WalletStatus } from "./tables.ts";

/** Minor units of the currency. */
export type WalletBalance = { availableMinor: number; pendingMinor: number; heldMinor: number };
export type Wallet = WalletBalance & {
  id: string;
  name: string;
  currency: Currency;
  status: WalletStatus;
  externalId: string | null;
  metadata: Record<string, string>;
  createdAt: Date;
};

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
