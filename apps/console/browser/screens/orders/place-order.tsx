import { ActionDialog } from "../../parts/action-dialog.tsx";
import { amountOf } from "../../parts/amount.ts";
import type { Choice } from "../../parts/field-input.tsx";
import { useCall } from "../../parts/use-call.ts";
import { useWallets, walletOf } from "../../parts/wallet-choice.ts";

const sides: readonly Choice[] = [
  { value: "buy", label: "Buy" },
  { value: "sell", label: "Sell" },
];

export function PlaceOrder({ onClose }: { onClose(): void }) {
  const { wallets, choices } = useWallets();
  const { data } = useCall({ operationId: "listInstruments", query: { limit: 100 } });
  const symbols = (data?.data ?? []).map(({ symbol }) => ({ value: symbol, label: symbol }));
  return (
    <ActionDialog<"createOrder">
      title="Place an order"
      fields={[
        {
          name: "symbol",
          label: "Instrument",
          kind: "select",
          choices: [{ value: "", label: "Choose one" }, ...symbols],
        },
        { name: "side", label: "Side", kind: "radio", choices: sides },
        {
          name: "quantity",
          label: "Quantity",
          kind: "text",
          placeholder: "0.5",
          hint: "In the first currency of the instrument.",
        },
        {
          name: "limitPrice",
          label: "Limit price",
          kind: "text",
          placeholder: "50000.00",
          hint: "Empty: at the market's price.",
        },
        { name: "baseWalletId", label: "Wallet of the first currency", kind: "select", choices },
        { name: "quoteWalletId", label: "Wallet of the second currency", kind: "select", choices },
      ]}
      initial={{ side: "buy" }}
      submit="Place order"
      callOf={({ symbol = "", side, quantity, limitPrice = "", baseWalletId, quoteWalletId }) => {
        if (symbol === "") {
          throw new Error("Choose an instrument.");
        }
        const base = walletOf(wallets, baseWalletId, "the wallet of the first currency");
        const quote = walletOf(wallets, quoteWalletId, "the wallet of the second currency");
        const isMarket = limitPrice.trim() === "";
        return {
          operationId: "createOrder",
          body: {
            ...{ symbol, side, type: isMarket ? "market" : "limit", quantity: amountOf(quantity, base.currency) },
            ...(!isMarket && { limitPrice: limitPrice.trim() }),
            ...{ baseWalletId: base.id, quoteWalletId: quote.id },
          },
        };
      }}
      done="The order is with the venue."
      onClose={onClose}
    />
  );
}
