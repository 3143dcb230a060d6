import { invalidField } from "@gateway/contract";
import type { CursorCodec } from "@gateway/kernel";
import { sql, type SelectQueryBuilder } from "kysely";

/** One page of a list, newest first. `nextCursor` is null on the last page. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

export type PageRequest = {
  /** 1 to 100. */
  limit: number;
  cursor?: string | undefined;
};

type PageOptions<Row, Item> = { cursors: CursorCodec; list: string; limit: number; toItem(row: Row): Item };

/**
 * One page of what a query selects from one table, newest first: a walk along an index from the last id of the page before, so a
 * page costs the same at any depth. `list` names the list, its account and its filters: a cursor is good for that list only.
 */
export async function readPage<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { cursor, ...options }: PageOptions<Row, Item> & PageRequest,
): Promise<Page<Item>> {
  const after = startOfPage(options.cursors, options.list, cursor);
  const id = sql.ref<string>("id");
  const rows = await query
    .$if(after !== null, (unlimited) => unlimited.where(sql<boolean>`${id} < ${after}`))
    .orderBy(id, "desc")
    .limit(options.limit + 1)
    .execute();
  return pageOf(rows, options);
}

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
  options: PageOptions<Row, Item>,
): Page<Item> {
  const shown = rows.slice(0, options.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > options.limit && last !== undefined;
  return {
    items: shown.map((row) => options.toItem(row)),
    nextCursor: hasMore ? options.cursors.encode(options.list, last.id) : null,
  };
}
