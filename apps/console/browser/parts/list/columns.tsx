import type { ReactNode } from "react";
import type { Currency } from "gateway-api-client";
import { Money } from "../shown/values.tsx";

export type Column<Item> = {
  readonly label: string;
  /** A phone shows `title` and `end` above `meta`, without `wide`. `act` has buttons, hidden next to an open row. */
  readonly slot: "title" | "end" | "meta" | "wide" | "act";
  readonly isNumber?: boolean;
  cell(item: Item): ReactNode;
};

export type ColumnHead = Pick<Column<never>, "label" | "slot" | "isNumber">;

type Options = {
  columns: readonly ColumnHead[];
  /** Only for a list that is not in the document as a whole. */
  rowIndex?: number | undefined;
  widths?: readonly string[] | null;
};

export function ColumnHeads({ columns, rowIndex, widths = null }: Options) {
  return (
    <thead>
      <tr aria-rowindex={rowIndex}>
        {columns.map(({ label, slot, isNumber }, index) => (
          <th
            key={label}
            scope="col"
            className={classOfColumn(slot, isNumber)}
            style={widths === null ? undefined : { width: widths[index] }}
          >
            {label}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function classOfColumn(slot: ColumnHead["slot"], isNumber = false): string {
  return isNumber ? `slot-${slot} numeric` : `slot-${slot}`;
}

export const amountColumn: Column<{ amount: number; currency: Currency }> = {
  ...{ label: "Amount", slot: "end", isNumber: true },
  cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
};
