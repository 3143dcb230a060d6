import type { Currency } from "gateway-api-client";
import type { ItemOf, DataOf } from "../../data/calls.ts";
import { movingMs } from "../../data/pace.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { amountOf, decimalOf } from "../../data/amount.ts";
import { select, type Choice, type Field, type Values } from "../../parts/fields/field-input.tsx";
import { grouped } from "../../parts/shown/values.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useUrlState } from "../../parts/page/address.tsx";
import { useWallets, walletOf } from "../../parts/fields/wallet-choice.ts";
import { act, type Act } from "../../parts/dialog/actions.tsx";

/** `BTC-USD` is bought and sold in BTC and paid in USD. */
export const baseOf = (symbol: string): Currency => currencyOf(symbol, 0);
export const quoteOf = (symbol: string): Currency => currencyOf(symbol, 1);

function currencyOf(symbol: string, place: 0 | 1): Currency {
  // The gateway lists no other symbols.
  return symbol.split("-")[place] as Currency;
}

const sides: readonly Choice[] = [
  { value: "buy", label: "Buy" },
  { value: "sell", label: "Sell" },
];
const types: readonly Choice[] = [
  { value: "limit", label: "Limit", hint: "At this price or a better one." },
  { value: "market", label: "Market", hint: "At once, at the market's price." },
];
const times: readonly Choice[] = [
  { value: "gtc", label: "until it is filled or canceled" },
  { value: "ioc", label: "at once: what is not filled is canceled" },
  { value: "fok", label: "at once and whole, or not at all" },
];

export function PlaceOrder({ onClose }: { onClose(): void }) {
  const [, setState] = useUrlState();
  const { wallets, asked } = useWallets();
  const instruments = useCall({ operationId: "listInstruments" }, { isChoice: true, isWhole: true });
  const symbols = (instruments.data?.data ?? []).map(({ symbol }) => ({ value: symbol, label: symbol }));
  const base = useWalletsIn(baseOf);
  const quote = useWalletsIn(quoteOf);
  const quotes = useCall({ operationId: "listQuotes", query: { limit: 100 } }, { isChoice: true, everyMs: movingMs });
  return (
    <ActionDialog<"createOrder">
      title="Place an order"
      choices={[instruments, asked]}
      fields={(values) =>
        fieldsOf(values, {
          ...{ symbols, base: base(values), quote: quote(values) },
          now: quotes.data?.data.find(({ symbol }) => symbol === values["symbol"]),
        })
      }
      initial={{ side: "buy", type: "limit", timeInForce: "gtc" }}
      submit="Place order"
      callOf={({ symbol = "", side, baseWalletId, quoteWalletId, ...values }) => {
        if (symbol === "") {
          throw new Error("Choose an instrument.");
        }
        const inBase = wallets.filter(({ currency }) => currency === baseOf(symbol));
        const inQuote = wallets.filter(({ currency }) => currency === quoteOf(symbol));
        const sides = {
          baseWalletId: walletOf(inBase, baseWalletId, `a wallet in ${baseOf(symbol)}`).id,
          quoteWalletId: walletOf(inQuote, quoteWalletId, `a wallet in ${quoteOf(symbol)}`).id,
        };
        return {
          operationId: "createOrder",
          body: { symbol, side, ...howMuch({ ...values, symbol, ...(side && { side }) }), ...sides },
        };
      }}
      done="The order is with the venue."
      onDone={({ data }) => setState({ do: undefined, open: data.id })}
      onClose={onClose}
    />
  );
}

function useWalletsIn(currencyOf: typeof baseOf): (values: Values) => readonly Choice[] {
  const { wallets, choices } = useWallets();
  return ({ symbol = "" }) =>
    choices.filter(
      ({ value }) => value === "" || wallets.find(({ id }) => id === value)?.currency === currencyOf(symbol),
    );
}

type Offered = {
  symbols: readonly Choice[];
  base: readonly Choice[];
  quote: readonly Choice[];
  now: ItemOf<"listQuotes"> | undefined;
};

function fieldsOf({ symbol = "", side, type }: Values, { symbols, base, quote, now }: Offered): readonly Field[] {
  const [baseCurrency, quoteCurrency] = symbol === "" ? ["", ""] : [baseOf(symbol), quoteOf(symbol)];
  const amount: Field = isMarketBuy({ side: side ?? "", type: type ?? "" })
    ? { name: "quoteAmount", label: `Spend at most ${quoteCurrency}`.trim(), kind: "text", hint: "The fee is in it." }
    : { name: "quantity", label: `Quantity ${baseCurrency}`.trim(), kind: "text", placeholder: "0.5" };
  return [
    select(
      "symbol",
      "Instrument",
      [{ value: "", label: "Choose one" }, ...symbols],
      now && `Now: bid ${grouped(now.bid)}, ask ${grouped(now.ask)} ${quoteCurrency}.`,
    ),
    { name: "side", label: "Side", kind: "radio", choices: sides },
    { name: "type", label: "Price", kind: "radio", choices: types },
    amount,
    ...(type === "market"
      ? []
      : ([
          { name: "limitPrice", label: "Limit price", kind: "text", placeholder: "50000.00" },
          select("timeInForce", "Open", times),
        ] as const)),
    select("baseWalletId", `Wallet ${baseCurrency || "of the first currency"}`, base),
    select("quoteWalletId", `Wallet ${quoteCurrency || "of the second currency"}`, quote),
  ];
}

function isMarketBuy({ side, type }: Values): boolean {
  return side === "buy" && type === "market";
}

/** A market buy says what it may cost, every other order how much it is about. */
function howMuch(values: Values): Record<string, string | number> {
  const { symbol = "", type = "limit", quantity, quoteAmount, limitPrice = "", timeInForce = "gtc" } = values;
  if (isMarketBuy(values)) {
    return { type, quoteAmount: amountOf(quoteAmount, quoteOf(symbol)) };
  }
  const amount = { type, quantity: amountOf(quantity, baseOf(symbol)) };
  if (type === "market") {
    return amount;
  }
  if (limitPrice.trim() === "") {
    throw new Error("Write the limit price.");
  }
  return { ...amount, limitPrice: limitPrice.trim(), timeInForce };
}

type Order = DataOf<"replaceOrder">;

/** Sends only the changed values. An omitted value stays as it is, even when a fill comes in between. */
export function replaceOrder(
  { id, symbol, quantity: whole, limitPrice: limit }: Order,
  { unavailable, onDone }: { unavailable: string | null; onDone(next: Order): void },
): Act {
  const base = baseOf(symbol);
  const before = { quantity: decimalOf(whole ?? 0, base), limitPrice: limit ?? "" };
  return act("replaceOrder", {
    ...{ do: "replace", label: "Replace", id, unavailable },
    ...{ title: "Replace the order", submit: "Replace order", done: "The new order waits for the end of this one." },
    fields: [
      {
        ...{ name: "quantity", label: `Quantity in ${base}`, kind: "text" },
        hint: "The total of both orders: what is filled already is part of it.",
      },
      { name: "limitPrice", label: "Limit price", kind: "text" },
    ],
    initial: before,
    bodyOf: ({ quantity = "", limitPrice = "" }) => {
      const body = {
        ...(quantity.trim() !== before.quantity && { quantity: amountOf(quantity.trim(), base) }),
        ...(limitPrice.trim() !== before.limitPrice && { limitPrice: limitPrice.trim() }),
      };
      if (Object.keys(body).length === 0) {
        throw new Error("Change the quantity or the price.");
      }
      return body;
    },
    onDone: ({ data }) => onDone(data),
    text: "A new order takes the place of this one. Until the venue has ended this one, more of it may be filled.",
  });
}
