import type { DataOf } from "../../data/calls.ts";
import { amountOf, decimalOf } from "../../data/amount.ts";
import { act, type Act } from "../../parts/dialog/actions.tsx";
import { baseOf } from "./order-currencies.ts";

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
