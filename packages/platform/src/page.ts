import { invalidField, type CursorCodec } from "@gateway/kernel";

/** One page of a list, newest first. `nextCursor` is null on the last page. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

export type PageRequest = {
  /** 1 to 100. */
  limit: number;
  cursor?: string | undefined;
};

/** The id that the page begins after, or null for the first page. Refuses a cursor that this list did not give out. */
export function startOfPage(cursors: CursorCodec, list: string, cursor: string | undefined): string | null {
  if (cursor === undefined) {
    return null;
  }
  const position = cursors.decode(list, cursor);
  if (position === null) {
    throw invalidField(
      "cursor",
      "is not a cursor of this list; send the meta.nextCursor of its previous page unchanged",
    );
  }
  return position;
}

/** Makes a page of `limit` items out of up to `limit + 1` rows: the row too many only tells that there is more. */
export function pageOf<Row extends { id: string }, Item>(
  rows: readonly Row[],
  options: { cursors: CursorCodec; list: string; limit: number; toItem(row: Row): Item },
): Page<Item> {
  const shown = rows.slice(0, options.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > options.limit && last !== undefined;
  return {
    items: shown.map((row) => options.toItem(row)),
    nextCursor: hasMore ? options.cursors.encode(options.list, last.id) : null,
  };
}
