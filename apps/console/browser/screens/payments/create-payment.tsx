import { ActionDialog } from "../../parts/action-dialog.tsx";
import { amountOf } from "../../parts/amount.ts";
import { useCall } from "../../parts/use-call.ts";
import { useUrlState } from "../../parts/use-url-state.ts";
import { chooseOne, useWallets, walletOf } from "../../parts/wallet-choice.ts";

export function CreatePayment({ onClose }: { onClose(): void }) {
  const [, setState] = useUrlState();
  const { wallets, choices, asked } = useWallets();
  const counterparties = useCall({ operationId: "listCounterparties" }, { isChoice: true, isWhole: true });
  const destinations = [
    { value: "", label: chooseOne("destination", counterparties) },
    ...(counterparties.data?.data ?? [])
      .filter(({ archivedAt }) => archivedAt === null)
      .map(({ id, name, currency, accountNumberLast4 }) => ({
        value: id,
        label: `${name} · ${currency} …${accountNumberLast4}`,
      })),
    ...wallets.map(({ id, name, currency }) => ({ value: id, label: `Wallet ${name} · ${currency}` })),
  ];
  return (
    <ActionDialog<"createPayment">
      title="Make a payment"
      choices={[asked, counterparties]}
      fields={[
        { name: "walletId", label: "From", kind: "select", choices },
        { name: "destination", label: "To", kind: "select", choices: destinations },
        { name: "amount", label: "Amount", kind: "text", placeholder: "10.50", hint: "In the currency of the wallet." },
        {
          name: "externalId",
          label: "External id",
          kind: "text",
          isCode: true,
          hint: "Your own name for it. May stay empty.",
        },
      ]}
      submit="Pay"
      callOf={({ walletId, destination = "", amount, externalId = "" }) => {
        const { id, currency } = walletOf(wallets, walletId, "the wallet that pays");
        if (destination === "") {
          throw new Error("Choose who is paid.");
        }
        return {
          operationId: "createPayment",
          body: {
            walletId: id,
            amount: amountOf(amount, currency),
            destination: destination.startsWith("wal_") ? { walletId: destination } : { counterpartyId: destination },
            ...(externalId !== "" && { externalId }),
          },
        };
      }}
      done="The payment is on its way."
      onDone={({ data }) => setState({ do: undefined, open: data.id })}
      onClose={onClose}
    />
  );
}
