import type { ItemOf } from "../../data/calls.ts";
import { theLatest } from "../../data/live-lists.ts";
import { amountText } from "../shown/values.tsx";
import type { Asked } from "../shown/states.tsx";
import { useCall } from "../call/use-call.ts";
import type { Choice } from "./field-input.tsx";

type Wallet = ItemOf<"listWallets">;

/** The active wallets as choices, with the available amount of each. `asked` is for the dialog that offers them. */
export function useWallets(wanted: (wallet: Wallet) => boolean = () => true): {
  wallets: readonly Wallet[];
  choices: readonly Choice[];
  asked: Asked;
} {
  const asked = useCall({ operationId: "listWallets", query: { status: "active" } }, { isChoice: true, isWhole: true });
  const wallets = (asked.data?.data ?? []).filter(wanted);
  return {
    wallets,
    asked,
    choices: [
      { value: "", label: chooseOne("wallet", asked) },
      ...wallets.map(({ id, name, currency, balance }) => ({
        value: id,
        label: `${name} · ${amountText(balance.available, currency)} ${currency}`,
      })),
    ],
  };
}

/** The text while nothing is chosen. It also says when the list is incomplete. */
export function chooseOne(what: string, { data }: { data: { meta: { hasMore?: boolean } } | undefined }): string {
  return data?.meta.hasMore ? `Choose a ${what}: these are ${theLatest}` : `Choose a ${what}`;
}

export function walletOf(wallets: readonly Wallet[], id: string | undefined, what = "a wallet"): Wallet {
  const wallet = wallets.find((one) => one.id === id);
  if (!wallet) {
    throw new Error(`Choose ${what}.`);
  }
  return wallet;
}
