import type { ItemOf } from "../data/calls.ts";
import { amountText } from "./money.tsx";
import type { Asked } from "./states.tsx";
import { useCall } from "./use-call.ts";
import type { Choice } from "./field-input.tsx";

type Wallet = ItemOf<"listWallets">;

/** The active wallets as choices of a form, with what is available in each; `asked`: for the dialog that offers them. */
export function useWallets(wanted: (wallet: Wallet) => boolean = () => true): {
  wallets: readonly Wallet[];
  choices: readonly Choice[];
  asked: Asked;
} {
  const asked = useCall({ operationId: "listWallets", query: { status: "active", limit: 100 } }, { isChoice: true });
  const wallets = (asked.data?.data ?? []).filter(wanted);
  return {
    wallets,
    asked,
    choices: [
      { value: "", label: "Choose a wallet" },
      ...wallets.map(({ id, name, currency, balance }) => ({
        value: id,
        label: `${name} · ${amountText(balance.available, currency)} ${currency}`,
      })),
    ],
  };
}

export function walletOf(wallets: readonly Wallet[], id: string | undefined, what = "a wallet"): Wallet {
  const wallet = wallets.find((one) => one.id === id);
  if (!wallet) {
    throw new Error(`Choose ${what}.`);
  }
  return wallet;
}
