import { Problem } from "@gateway/contract";
import { keysOf, type CursorCodec } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from "kysely";
import { nameOf } from "./noun.ts";
import {
  prepareAccountPages,
  readPage,
  refuseBesideRange,
  startOfPage,
  type IndexPart,
  type Page,
  type PageRequest,
} from "./page.ts";

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

type FilteredRequest = { accountId: string; externalId?: string | undefined } & PageRequest;

/** The wanted values by column, in the order of `both`. */
type Filters<Row> = { readonly [Column in keyof Row & string]?: (Row[Column] & string) | undefined };

type FilteredOptions<Row, Item> = {
  name: string;
  cursors: CursorCodec;
  toItem(row: Row): Item;
  /** The indexed expression of two filters: their values with a space between them. */
  both?: RawBuilder<unknown>;
};

/** Lists of all rows of an account, of those with one filter or two, or of the one with an external id. */
export function prepareFilteredPages<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Kysely<Tables>,
  select: () => SelectQueryBuilder<Tables, Table, Row>,
  { both, ...options }: FilteredOptions<Row, Item>,
): (request: FilteredRequest, filters?: Filters<Row>) => Promise<Page<Item>> {
  const listAll = prepareAccountPages(db, select, options);
  return async ({ externalId, ...request }, filters = {}) => {
    const { accountId } = request;
    const given = keysOf(filters).flatMap((column) => {
      const value = filters[column];
      return value === undefined ? [] : [{ column, value }];
    });
    const named = Object.fromEntries(given.map(({ column, value }) => [nameOf(column), value]));
    refuseBesideRange(request, { ...named, externalId });
    if (externalId !== undefined) {
      // Holds one item or none, so there is no next page whose cursor could be sent.
      startOfPage(options.cursors, "an external id", request.cursor);
      const found = select().where(sql<boolean>`account_id = ${accountId} and external_id = ${externalId}`);
      const { rows } = await sql<Row>`select * from ${found} as found`.execute(db);
      const items = rows.filter((row) => given.every(({ column, value }) => row[column] === value));
      return { items: items.map((row) => options.toItem(row)), nextCursor: null };
    }
    const [one, other] = given;
    if (!one) {
      return listAll(request);
    }
    const value = given.map((filter) => filter.value).join(" ");
    const of: IndexPart = other && both ? { both: { by: both, value } } : { [one.column]: value };
    const list = `${options.name} ${accountId} ${keysOf(filters)
      .map((column) => filters[column] ?? "")
      .join(" ")}`;
    return readPage(db, select(), { ...request, ...options, of: { ...of, account_id: accountId }, list });
  };
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
