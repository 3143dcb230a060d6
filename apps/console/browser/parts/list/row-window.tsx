import { observeWindowOffset, useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useState, type RefObject } from "react";

/** The rows in the document, without `end`. `above` and `below` are the heights of the other rows, in pixels. */
export type RowRange = { start: number; end: number; above: number; below: number };

type Options = {
  count: number;
  table: RefObject<HTMLTableElement | null>;
  range: RowRange;
  onRange(range: RowRange): void;
  estimate: number;
};

/** Reports the rows of a long table that are in sight while the page scrolls. It does not render anything. */
export function RowWindow({ count, table, range, onRange, estimate }: Options) {
  const [scrollMargin, setScrollMargin] = useState(0);
  const rows = useWindowVirtualizer<HTMLTableRowElement>({
    count,
    estimateSize: () => estimate,
    overscan: 12,
    scrollMargin,
    // React may show this some time after it was rendered, and a user who scrolled meanwhile must not be moved back.
    observeElementOffset: (instance, onOffset) => {
      onOffset(window.scrollY, false);
      return observeWindowOffset(instance, onOffset);
    },
    // Next to an open row, a phone hides the list. A hidden row has no height, so it counts with the estimate.
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
