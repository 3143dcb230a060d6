import type { DataOf } from "../../data/calls.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { amountOf, decimalOf } from "../../data/amount.ts";
import { useUrlState } from "../../parts/page/address.tsx";
import { baseOf } from "./order-currencies.ts";

/** Sends only the changed values. An omitted value stays as it is, even when a fill comes in between. */
export function ReplaceOrder({ order, onClose }: { order: DataOf<"getOrder">; onClose(): void }) {
  const [, setState] = useUrlState();
  const base = baseOf(order.symbol);
  const before = { quantity: decimalOf(order.quantity ?? 0, base), limitPrice: order.limitPrice ?? "" };
  return (
    <ActionDialog<"replaceOrder">
      title="Replace the order"
      fields={[
        {
          name: "quantity",
          label: `Quantity in ${base}`,
          kind: "text",
          hint: "The total of both orders: what is filled already is part of it.",
        },
        { name: "limitPrice", label: "Limit price", kind: "text" },
      ]}
      initial={before}
      submit="Replace order"
      callOf={({ quantity = "", limitPrice = "" }) => {
        const body = {
          ...(quantity.trim() !== before.quantity && { quantity: amountOf(quantity.trim(), base) }),
          ...(limitPrice.trim() !== before.limitPrice && { limitPrice: limitPrice.trim() }),
        };
        if (Object.keys(body).length === 0) {
          throw new Error("Change the quantity or the price.");
        }
        return { operationId: "replaceOrder", path: { orderId: order.id }, body };
      }}
      done="The new order waits for the end of this one."
      onDone={({ data }) => setState({ do: undefined, open: data.id })}
      onClose={onClose}
    >
      A new order takes the place of this one. Until the venue has ended this one, more of it may be filled.
    </ActionDialog>
  );
}
