import { Problem } from "@gateway/contract";
import { keysOf, type CursorCodec } from "@gateway/kernel";
import { sql, type RawBuilder } from "kysely";
import { startOfPage, type Page } from "./page.ts";

/** An id, and the account that owns it. */
export type Own = { id: string; accountId: string };

/** The first row of a query, converted, or null. */
export async function firstOf<Row, Thing>(
  query: { executeTakeFirst(): Promise<Row | undefined> },
  toThing: (row: Row) => Thing,
): Promise<Thing | null> {
  const row = await query.executeTakeFirst();
  return row === undefined ? null : toThing(row);
}

/** The condition for the row with this id, only when it belongs to the account. For a query of one table. */
export function isOwn({ id, accountId }: Own): RawBuilder<boolean> {
  return sql<boolean>`account_id = ${accountId} and id = ${id}`;
}

/** A query of one table whose rows belong to accounts. */
type Rows<Row> = { where(condition: RawBuilder<boolean>): { execute(): Promise<Row[]> } };

/** The account's row with this id. Null also for the id of another account. */
export async function findOwn<Row, Thing>(
  rows: Rows<Row>,
  own: Own,
  toThing: (row: Row) => Thing,
): Promise<Thing | null> {
  const [row] = await rows.where(isOwn(own)).execute();
  return row === undefined ? null : toThing(row);
}

type Asked<Row, Item> = {
  accountId: string;
  externalId: string;
  /** Further filters, by column. */
  wanted: { readonly [Column in keyof Row]?: Row[Column] | undefined };
  cursors: CursorCodec;
  cursor?: string | undefined;
  toItem: (row: Row) => Item;
};

/** Holds one item or none, so there is no next page whose cursor could be sent. */
export async function pageOfExternalId<Row extends object, Item>(
  rows: Rows<Row>,
  { accountId, externalId, wanted, cursors, cursor, toItem }: Asked<Row, Item>,
): Promise<Page<Item>> {
  startOfPage(cursors, "an external id", cursor);
  const found = await rows.where(sql<boolean>`account_id = ${accountId} and external_id = ${externalId}`).execute();
  const columns = keysOf(wanted).filter((column) => wanted[column] !== undefined);
  const items = found.filter((row) => columns.every((column) => row[column] === wanted[column]));
  return { items: items.map(toItem), nextCursor: null };
}

/** `has`: `has another order`, or `has, or had, another payment`. `isFound`: its list takes `?externalId=`. */
export function externalIdUsed(has: string, cause?: unknown, { isFound = true }: { isFound?: boolean } = {}): Problem {
  const remedy = `Send another one, or find the first ${isFound ? "with ?externalId=" : "in the list"}.`;
  return new Problem("EXTERNAL_ID_USED", `The account ${has} with this externalId. ${remedy}`, { cause });
}

/** Changes all rows of an account in a table. */
export async function changeAll(
  change: { where(condition: RawBuilder<boolean>): { execute(): Promise<unknown> } },
  accountId: string,
): Promise<void> {
  await change.where(sql<boolean>`account_id = ${accountId}`).execute();
}
