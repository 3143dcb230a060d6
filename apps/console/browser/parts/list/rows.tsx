import { memo, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { classOfColumn, ColumnHeads, type Column } from "./columns.tsx";
import type { RowRange } from "./row-window.tsx";
import { StateLink } from "../page/address.tsx";
import { lazyPart } from "../page/lazy-part.tsx";

type RowsOptions<Item> = {
  items: readonly Item[];
  columns: readonly Column<Item>[];
  title: string;
  openId: string | undefined;
  /** Whether the list continues after these rows, so that their total number is unknown. */
  hasMore: boolean;
};

/** Up to this number all rows are in the document, so that the browser's search finds them. */
const mostWhole = 200;

const estimatedHeight = 41;

const RowWindow = lazyPart(() => import("./row-window.tsx"), "RowWindow");

/** One table, whose rows are links. A long list has only the rows in sight and a few around them. */
export function Rows<Item>({ items, columns, title, openId, hasMore }: RowsOptions<Item>) {
  const table = useRef<HTMLTableElement>(null);
  const isLong = items.length > mostWhole;
  const [seen, setSeen] = useState<RowRange | null>(null);
  const range = isLong ? (seen ?? beginning(items.length)) : { start: 0, end: items.length, above: 0, below: 0 };
  const widths = useFixedWidths(table, isLong);
  return (
    <>
      <table
        ref={table}
        className={isLong ? "rows long" : "rows"}
        aria-rowcount={isLong ? (hasMore ? -1 : items.length + 1) : undefined}
      >
        <caption className="unseen">{title}</caption>
        <ColumnHeads columns={columns} rowIndex={isLong ? 1 : undefined} widths={widths} />
        <tbody>
          <Space height={range.above} columns={columns.length} />
          {items.slice(range.start, range.end).map((item, index) => (
            <Row
              key={idOf(item)}
              item={item}
              id={idOf(item)}
              index={range.start + index}
              isLong={isLong}
              isOpen={idOf(item) === openId}
              // Its cells receive the items of this very table.
              columns={columns as readonly Column<unknown>[]}
            />
          ))}
          <Space height={range.below} columns={columns.length} />
        </tbody>
      </table>
      {isLong && (
        <RowWindow count={items.length} table={table} range={range} onRange={setSeen} estimate={estimatedHeight} />
      )}
    </>
  );
}

function idOf(item: unknown): string {
  // Every item of a list has an id: the address names the open row by it.
  return (item as { id: string }).id;
}

function beginning(count: number): RowRange {
  const end = Math.min(count, 60);
  return { start: 0, end, above: 0, below: (count - end) * estimatedHeight };
}

/** Keeps the widths in percent that the columns had for the first rows, while other rows scroll by. */
function useFixedWidths(table: { readonly current: HTMLTableElement | null }, isLong: boolean): string[] | null {
  const [widths, setWidths] = useState<string[] | null>(null);
  useLayoutEffect(() => {
    // Reading a width makes the browser lay out the page at once, and a press would wait for that.
    if (!isLong) {
      return;
    }
    const heads = Array.from(table.current?.tHead?.rows[0]?.cells ?? [], ({ offsetWidth }) => offsetWidth);
    const total = heads.reduce((sum, width) => sum + width, 0);
    if (total > 0) {
      setWidths((known) => known ?? heads.map((width) => (width === 0 ? "auto" : `${(100 * width) / total}%`)));
    }
  }, [isLong, table]);
  return isLong ? widths : null;
}

function Space({ height, columns }: { height: number; columns: number }) {
  return height === 0 ? null : (
    <tr className="row-space" aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}

type RowOptions = {
  item: unknown;
  id: string;
  index: number;
  isLong: boolean;
  isOpen: boolean;
  columns: readonly Column<unknown>[];
};

/** Not rendered again while others scroll by. */
const Row = memo(function Row({ item, id, index, isLong, isOpen, columns }: RowOptions) {
  return (
    <tr data-open={isOpen} data-index={index} aria-rowindex={isLong ? index + 2 : undefined}>
      {columns.map(({ label, slot, isNumber, cell }) => (
        <td key={label} className={classOfColumn(slot, isNumber)}>
          {slot === "title" ? <RowLink id={id}>{cell(item)}</RowLink> : cell(item)}
        </td>
      ))}
    </tr>
  );
});

/** A real link that covers its row, so that it opens in a new tab like any other. */
function RowLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <StateLink className="row-link" search={(before) => ({ ...before, open: id })} data-id={id} resetScroll={false}>
      {children}
    </StateLink>
  );
}
