import type { ReactNode } from "react";

export type Column<Item> = {
  readonly label: string;
  /**
   * Where it stands: on a phone a row has two lines, `title` and `end` above `meta`; what is `wide` is left out
   * there. `act` has buttons, which are beside the list where a row is open.
   */
  readonly slot: "title" | "end" | "meta" | "wide" | "act";
  readonly isNumber?: boolean;
  cell(item: Item): ReactNode;
};

/** What a column is called, and where its cells go on a narrow screen. */
export type ColumnHead = Pick<Column<never>, "label" | "slot" | "isNumber">;

type Options = {
  columns: readonly ColumnHead[];
  /** Of a list that is not in the document as a whole. */
  rowIndex?: number | undefined;
  widths?: readonly string[] | null;
};

/** The head of a table whose class is `rows`. */
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
