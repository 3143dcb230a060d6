import type { Currency } from "gateway-api-client";
import { Money } from "../shown/money.tsx";
import type { Column } from "./column-heads.tsx";

export const amountColumn: Column<{ amount: number; currency: Currency }> = {
  ...{ label: "Amount", slot: "end", isNumber: true },
  cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
};
