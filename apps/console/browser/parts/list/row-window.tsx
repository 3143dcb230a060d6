import { observeWindowOffset, useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useState, type RefObject } from "react";

/** Which rows are in the document: `end` is not; what is above and below them takes that much room, in pixels. */
export type RowRange = { start: number; end: number; above: number; below: number };

type Options = {
  count: number;
  table: RefObject<HTMLTableElement | null>;
  range: RowRange;
  onRange(range: RowRange): void;
  estimate: number;
};

/** Tells which rows of a long table are in sight as the page scrolls. It shows nothing itself. */
export function RowWindow({ count, table, range, onRange, estimate }: Options) {
  const [scrollMargin, setScrollMargin] = useState(0);
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => estimate,
    overscan: 12,
    scrollMargin,
    // React may show this a moment after it was rendered: whoever scrolled meanwhile is not taken back.
    observeElementOffset: (instance, onOffset) => {
      onOffset(window.scrollY, false);
      return observeWindowOffset(instance, onOffset);
    },
    // Beside an open row a telephone shows no list: what is not shown has no height, and keeps the one that it had.
    measureElement: (row) => row.getBoundingClientRect().height || estimate,
  });
  const shown = rows.getVirtualItems();
  const [first, last] = [shown[0], shown.at(-1)];
  const start = first?.index ?? 0;
  const end = (last?.index ?? -1) + 1;
  const above = (first?.start ?? scrollMargin) - scrollMargin;
  const below = rows.getTotalSize() - ((last?.end ?? scrollMargin) - scrollMargin);
  useLayoutEffect(() => {
    if (end > start) {
      onRange({ start, end, above, below });
    }
  }, [start, end, above, below, onRange]);
  useLayoutEffect(() => {
    for (const row of table.current?.tBodies[0]?.rows ?? []) {
      if (row.dataset["index"] !== undefined) {
        rows.measureElement(row);
      }
    }
    const top = table.current?.tBodies[0]?.getBoundingClientRect().top;
    if (top !== undefined) {
      setScrollMargin(Math.round(top + window.scrollY));
    }
  }, [range, rows, table]);
  return null;
}
