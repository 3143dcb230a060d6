import { useState } from "react";
import type { ItemOf } from "../../data/calls.ts";
import { amountOf } from "../../data/amount.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { ActionButton } from "../../parts/dialog/actions.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { CreateCounterparty } from "../../parts/dialog/create-counterparty.tsx";
import { externalIdField, type Choice, type Field, type Values } from "../../parts/fields/field-input.tsx";
import { chooseOne, useWallets, walletOf } from "../../parts/fields/wallet-choice.ts";
import { useUrlState } from "../../parts/page/address.tsx";

type Counterparty = ItemOf<"listCounterparties">;

/** A payment out of a wallet. A new counterparty can be added meanwhile, and the typed values are kept. */
export function CreatePayment() {
  const [{ to }, setState] = useUrlState();
  const [opener] = useState(() => document.activeElement);
  const [values, setValues] = useState<Values>({ destination: to ?? "" });
  const [isAdding, setIsAdding] = useState(false);
  const [added, setAdded] = useState<readonly Counterparty[]>([]);
  const { wallets, choices, asked } = useWallets();
  const { counterparties, known } = useCounterparties(added);
  const currency = wallets.find(({ id }) => id === values["walletId"])?.currency;
  if (isAdding) {
    return (
      <CreateCounterparty
        {...(isBankCurrency(currency) && { currency })}
        returnTo={opener}
        onDone={(counterparty) => {
          setAdded([...added, counterparty]);
          setValues({ ...values, destination: counterparty.id });
        }}
        onClose={() => setIsAdding(false)}
      />
    );
  }
  const add = (typed: Values): void => {
    setValues(typed);
    setIsAdding(true);
  };
  const destinationsIn = (typed: Values) => destinationsOf(typed, { wallets, known });
  return (
    <ActionDialog<"createPayment">
      title="Make a payment"
      choices={[asked, counterparties]}
      initial={values}
      fields={(typed) => {
        const none = { value: "", label: chooseOne("destination", counterparties) };
        return fieldsOf({ from: choices, to: [none, ...destinationsIn(typed)], add: () => add(typed) });
      }}
      submit="Pay"
      callOf={(typed) => {
        const { walletId, destination = "", amount, externalId = "" } = typed;
        const { id, currency: paidIn } = walletOf(wallets, walletId, "the wallet that pays");
        if (!destinationsIn(typed).some(({ value }) => value === destination)) {
          throw new Error("Choose who is paid.");
        }
        return {
          operationId: "createPayment",
          body: {
            walletId: id,
            amount: amountOf(amount, paidIn),
            destination: destination.startsWith("wal_") ? { walletId: destination } : { counterpartyId: destination },
            ...(externalId !== "" && { externalId }),
          },
        };
      }}
      done="The payment is in flight."
      returnTo={opener}
      onDone={({ data }) => setState({ do: undefined, to: undefined, open: data.id })}
      onClose={() => setState({ do: undefined, to: undefined }, { replace: true })}
    />
  );
}

type Offered = { from: readonly Choice[]; to: readonly Choice[]; add(): void };

function fieldsOf({ from, to, add }: Offered): readonly Field[] {
  const newCounterparty = (
    <ActionButton operationId="createCounterparty" small onClick={add}>
      New counterparty
    </ActionButton>
  );
  return [
    { name: "walletId", label: "From", kind: "select", choices: from },
    { name: "destination", label: "To", kind: "select", choices: to, hint: newCounterparty },
    { name: "amount", label: "Amount", kind: "text", placeholder: "10.50", hint: "In the currency of the wallet." },
    externalIdField,
  ];
}

/** The counterparties that can be paid. A new one is included before the list has been read again. */
function useCounterparties(added: readonly Counterparty[]) {
  const counterparties = useCall({ operationId: "listCounterparties" }, { isChoice: true, isWhole: true });
  const listed = counterparties.data?.data ?? [];
  const all = [...added.filter(({ id }) => !listed.some((one) => one.id === id)), ...listed];
  return { counterparties, known: all.filter(({ archivedAt }) => archivedAt === null) };
}

type Choosing = { wallets: ReturnType<typeof useWallets>["wallets"]; known: readonly Counterparty[] };

/**
 * The destinations for the chosen wallet: those with its currency, without the wallet itself. Before a choice, all of
 * them.
 */
function destinationsOf({ walletId }: Values, { wallets, known }: Choosing): readonly Choice[] {
  const from = wallets.find(({ id }) => id === walletId);
  const takes = (one: { id: string; currency: string }): boolean =>
    from === undefined || (one.currency === from.currency && one.id !== from.id);
  return [
    ...known.filter(takes).map(({ id, name, currency, accountNumberLast4 }) => ({
      value: id,
      label: `${name} · ${currency} …${accountNumberLast4}`,
    })),
    ...wallets.filter(takes).map(({ id, name, currency }) => ({ value: id, label: `Wallet ${name} · ${currency}` })),
  ];
}

function isBankCurrency(currency: string | undefined): currency is Counterparty["currency"] {
  return currency !== undefined && ["USD", "EUR", "GBP", "JPY"].includes(currency);
}
