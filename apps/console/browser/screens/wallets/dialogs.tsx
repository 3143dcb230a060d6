import type { DataOf } from "../../data/calls.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { amountOf } from "../../data/amount.ts";
import type { Choice } from "../../parts/fields/field-input.tsx";

type Wallet = DataOf<"getWallet">;
type Options = { wallet: Wallet; onClose(): void };

export const currencies: readonly Choice[] = ["USD", "EUR", "GBP", "JPY", "USDC", "BTC", "ETH"].map((value) => ({
  value,
  label: value,
}));

export function CreateWallet({ onClose }: { onClose(): void }) {
  return (
    <ActionDialog<"createWallet">
      title="Create a wallet"
      fields={[
        { name: "name", label: "Name", kind: "text", placeholder: "Operating" },
        {
          name: "currency",
          label: "Currency",
          kind: "select",
          choices: currencies,
          hint: "It stays the same for good.",
        },
        {
          name: "externalId",
          label: "External id",
          kind: "text",
          isCode: true,
          hint: "Your own name for it, to find it by. May stay empty.",
        },
      ]}
      initial={{ currency: "EUR" }}
      submit="Create wallet"
      callOf={({ name = "", currency, externalId = "" }) => ({
        operationId: "createWallet",
        body: { name: named(name), currency, ...(externalId !== "" && { externalId }) },
      })}
      done="The wallet is there."
      onClose={onClose}
    />
  );
}

function named(name: string): string {
  if (name.trim() === "") {
    throw new Error("Give the wallet a name.");
  }
  return name.trim();
}

export function RenameWallet({ wallet: { id, name: before }, onClose }: Options) {
  return (
    <ActionDialog<"updateWallet">
      title="Rename the wallet"
      fields={[{ name: "name", label: "Name", kind: "text" }]}
      initial={{ name: before }}
      submit="Rename"
      callOf={({ name = "" }) => ({ operationId: "updateWallet", path: { walletId: id }, body: { name: named(name) } })}
      done="The wallet is renamed."
      onClose={onClose}
    />
  );
}

export function FundWallet({ wallet: { id, currency, name }, onClose }: Options) {
  return (
    <ActionDialog<"fundWallet">
      title="Fund the wallet"
      fields={[{ name: "amount", label: `Amount in ${currency}`, kind: "text", placeholder: "100" }]}
      submit="Fund"
      callOf={({ amount }) => ({
        operationId: "fundWallet",
        path: { walletId: id },
        body: { amount: amountOf(amount, currency) },
      })}
      done="The money is there."
      onClose={onClose}
    >
      Money from nowhere for <bdi>{name}</bdi>: only the sandbox has it.
    </ActionDialog>
  );
}

export function FreezeWallet({ wallet: { id, name }, onClose }: Options) {
  return (
    <ActionDialog<"freezeWallet">
      title="Freeze the wallet"
      submit="Freeze"
      isDangerous
      name={name}
      callOf={() => ({ operationId: "freezeWallet", path: { walletId: id } })}
      done="The wallet is frozen."
      onClose={onClose}
    >
      Nothing goes out of it any more; what comes in still does. Only an owner can unfreeze it.
    </ActionDialog>
  );
}

export function UnfreezeWallet({ wallet: { id }, onClose }: Options) {
  return (
    <ActionDialog<"unfreezeWallet">
      title="Unfreeze the wallet"
      submit="Unfreeze"
      callOf={() => ({ operationId: "unfreezeWallet", path: { walletId: id } })}
      done="The wallet is active again."
      onClose={onClose}
    />
  );
}

export function CloseWallet({ wallet: { id, name }, onClose }: Options) {
  return (
    <ActionDialog<"closeWallet">
      title="Close the wallet"
      submit="Close wallet"
      isDangerous
      name={name}
      callOf={() => ({ operationId: "closeWallet", path: { walletId: id } })}
      done="The wallet is closed."
      onClose={onClose}
    >
      It must be empty. Nothing goes in or out of it again, and it cannot be opened again.
    </ActionDialog>
  );
}
