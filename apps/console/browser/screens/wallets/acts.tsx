import type { DataOf } from "../../data/calls.ts";
import { amountOf } from "../../data/amount.ts";
import { valuesOf } from "../../data/listed-values.ts";
import { whyNotIn } from "../../data/state-machines.ts";
import { act, type Act } from "../../parts/dialog/actions.tsx";
import { externalIdField, plainChoices, requiredText } from "../../parts/fields/field-input.tsx";

export const currencies = plainChoices(valuesOf("Currency"));

const named = (name: string | undefined): string => requiredText(name, "Give the wallet a name.");

export const createWallet = act("createWallet", {
  ...{ do: "create", label: "Create wallet" },
  ...{ title: "Create a wallet", submit: "Create wallet", done: "The wallet is created." },
  fields: [
    { name: "name", label: "Name", kind: "text", placeholder: "Operating" },
    { name: "currency", label: "Currency", kind: "select", choices: currencies, hint: "It stays the same for good." },
    externalIdField,
  ],
  initial: { currency: "EUR" },
  bodyOf: ({ name, currency, externalId = "" }) => ({
    ...{ name: named(name), currency },
    ...(externalId !== "" && { externalId }),
  }),
});

export function actsOf({ id, name, currency, status }: DataOf<"getWallet">): readonly Act[] {
  const closed = status === "closed" ? "It is closed." : null;
  return [
    act("fundWallet", {
      ...{ do: "fund", label: "Fund", kind: "primary", id, unavailable: closed },
      title: "Fund the wallet",
      fields: [{ name: "amount", label: `Amount in ${currency}`, kind: "text", placeholder: "100" }],
      submit: "Fund",
      bodyOf: ({ amount }) => ({ amount: amountOf(amount, currency) }),
      done: "The money has arrived.",
      text: (
        <>
          Money from nowhere for <bdi>{name}</bdi>: only the sandbox has it.
        </>
      ),
    }),
    act("updateWallet", {
      ...{ do: "rename", label: "Rename", id, unavailable: closed },
      title: "Rename the wallet",
      fields: [{ name: "name", label: "Name", kind: "text" }],
      initial: { name },
      submit: "Rename",
      bodyOf: ({ name: next }) => ({ name: named(next) }),
      done: "The wallet is renamed.",
    }),
    status === "frozen"
      ? act("unfreezeWallet", {
          ...{ do: "unfreeze", label: "Unfreeze", id },
          ...{ title: "Unfreeze the wallet", submit: "Unfreeze", done: "The wallet is active again." },
        })
      : act("freezeWallet", {
          ...{ do: "freeze", label: "Freeze", id, name, unavailable: whyNotIn("Wallet", status, "freeze") },
          ...{ title: "Freeze the wallet", submit: "Freeze", done: "The wallet is frozen." },
          text: "Money no longer goes out; it still comes in. Only an owner can unfreeze it.",
        }),
    act("closeWallet", {
      ...{ do: "close", label: "Close", kind: "danger", id, name, unavailable: whyNotIn("Wallet", status, "close") },
      ...{ title: "Close the wallet", submit: "Close wallet", done: "The wallet is closed." },
      text: "It must be empty. Nothing goes in or out of it again, and it cannot be opened again.",
    }),
  ];
}
