import { invalidField } from "@gateway/contract";
import { prepareQuery, type Executor } from "@gateway/database";
import { parseTimestamp, startOfIds, type CursorCodec } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from "kysely";

/** One page of a list, newest first. `nextCursor` is null on the last page. */
export type Page<Item> = { items: Item[]; nextCursor: string | null };

/** Timestamps as callers send them. The first belongs to the range, the second does not. */
export type CreatedRange = { createdAfter?: string | undefined; createdBefore?: string | undefined };

/** With a range, a list is ordered by (createdAt, id), otherwise by id. Both are newest first. */
export type PageRequest = CreatedRange & {
  /** 1 to 100. */
  limit: number;
  cursor?: string | undefined;
};

type PageOptions<Row, Item> = {
  cursors: CursorCodec;
  list: string;
  limit: number;
  toItem(row: Row): Item;
  /** The position that a cursor holds; the id by default. */
  positionOf?: (row: Row) => string;
};

/** Rows that a page reads at most: one more than the highest limit shows that more follow. */
export const mostRows = 101;

/**
 * One page of the rows that a query selects from one table, newest first (see `walkIndex`). It costs the same at any
 * depth. `list` names the list, its account and its filters, because a cursor is valid for that list only.
 */
export async function readPage<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Executor,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { cursor, of, within, ...options }: PageOptions<Row, Item> & PageRequest & { of: IndexPart; within?: IdRange },
): Promise<Page<Item>> {
  if (within) {
    const after = startOfPage(options.cursors, options.list, cursor) ?? within.before;
    return readWalk(db, walkPartitions(query, { of, after, from: within.from, most: mostRows }), options);
  }
  const order = orderOf({ cursor, ...options }, options);
  return readWalk(db, order.walk(query, of), { ...options, ...order });
}

async function readWalk<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Executor,
  walk: SelectQueryBuilder<Tables, Table, Row>,
  options: PageOptions<Row, Item>,
): Promise<Page<Item>> {
  const { rows } = await sql<Row>`select * from ${walk} as page limit ${options.limit + 1}`.execute(db);
  return pageOf(rows, options);
}

/** The query is compiled once, because compiling it took a fifth of the cost of a page of 20 rows. */
export function prepareAccountPages<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Kysely<Tables>,
  select: () => SelectQueryBuilder<Tables, Table, Row>,
  { name, ...options }: { name: string; cursors: CursorCodec; toItem(row: Row): Item },
): (request: { accountId: string } & PageRequest) => Promise<Page<Item>> {
  type Values = { accountId: string; after: string; rows: number };
  const read = prepareQuery<Values, Row>(db, ({ accountId, after, rows }) => {
    const walk = walkIndex(select(), { of: { account_id: accountId }, after, most: mostRows });
    return sql<Row>`select * from ${walk} as page limit ${rows}`;
  });
  return async ({ accountId, limit, cursor, ...range }) => {
    const list = `${name} ${accountId}`;
    if (hasRange(range)) {
      return readPage(db, select(), { ...options, ...range, list, limit, cursor, of: { account_id: accountId } });
    }
    const after = startOfPage(options.cursors, list, cursor) ?? endOfIds;
    return pageOf(await read({ accountId, after, rows: limit + 1 }), { ...options, list, limit });
  };
}

/** Request for all entries of a list, or for those that one API key or person created. */
export type CreatedRequest = { accountId: string; createdBy?: string | undefined } & PageRequest;

const byMaker = sql`((created_by ->> 'id') collate "C")`;

export function prepareCreatedPages<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Kysely<Tables>,
  select: () => SelectQueryBuilder<Tables, Table, Row>,
  options: { name: string; cursors: CursorCodec; toItem(row: Row): Item },
): (request: CreatedRequest) => Promise<Page<Item>> {
  const listAll = prepareAccountPages(db, select, options);
  return ({ createdBy, accountId, ...page }) =>
    createdBy === undefined
      ? listAll({ accountId, ...page })
      : readPage(db, select(), {
          ...options,
          ...page,
          of: { maker: { by: byMaker, value: createdBy }, account_id: accountId },
          list: `${options.name} ${accountId} ${createdBy}`,
        });
}

/** The columns of an index before `id`, in its order: `{ type: "wallet.created", account_id: "acc_…" }`. */
export type IndexPart = Readonly<Record<string, IndexValue | IndexedExpression>>;

type IndexValue = string | RawBuilder<string>;

/** The value of an expression that an index has instead of a column. The owner of the table knows the expression. */
export type IndexedExpression = { by: RawBuilder<unknown>; value: IndexValue };

function splitPart(of: IndexPart): { columns: RawBuilder<unknown>[]; values: IndexValue[] } {
  const entries = Object.entries(of).map(([column, value]) =>
    typeof value === "object" && "by" in value ? value : { by: sql.ref(column), value },
  );
  return { columns: entries.map(({ by }) => by), values: entries.map(({ value }) => value) };
}

/** Sorts after every id. */
export const endOfIds = "~";

export type Walk = {
  of: IndexPart;
  after?: string | RawBuilder<string> | null;
  /** The oldest id that is included. */
  from?: string | RawBuilder<string> | null;
  most: number;
};

/**
 * The newest rows of one part of an index whose last column is `id`, after one id and down to another, at most `most`.
 * The query is phrased so that one index serves it, even when the planner's statistics are old. A range over all
 * columns and an order by all of them fit one index, if no other begins with the same column. Because the limit is in
 * the text, a sort never looks as cheap.
 */
export function walkIndex<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { of, after = null, from = null, most }: Walk,
): SelectQueryBuilder<Tables, Table, Row> {
  const { columns, values: given } = splitPart(of);
  const values = sql.join(given);
  return query
    .where(sql<boolean>`(${sql.join(columns)}, id) < (${values}, ${after ?? endOfIds})`)
    .where(
      from === null
        ? sql<boolean>`(${sql.join(columns)}) >= (${values})`
        : sql<boolean>`(${sql.join(columns)}, id) >= (${values}, ${from})`,
    )
    .orderBy(sql`${sql.join(columns, sql` desc, `)} desc, id desc`)
    .limit(sql.lit(most));
}

/** The values are in queries of their own, so that no plan knows them and sorts instead of merging the partitions. */
export function walkPartitions<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { of, after, from, most }: Walk & { from: string },
): SelectQueryBuilder<Tables, Table, Row> {
  const { columns, values } = splitPart(of);
  const hidden = Object.fromEntries(
    columns.map((by, index) => [String(index), { by, value: hide(values[index] ?? "") }]),
  );
  // An expression is unknown to the planner anyway.
  const hiddenAfter = typeof after === "object" && after !== null ? after : hide(after ?? endOfIds);
  return walkIndex(query, { of: hidden, after: hiddenAfter, from: hide(from), most });
}

/** The order that a request asks for, and where the list begins. `list` is its name in cursors. */
type Order = {
  list: string;
  columns: RawBuilder<unknown>;
  walk<Tables, Table extends keyof Tables, Row>(
    query: SelectQueryBuilder<Tables, Table, Row>,
    of: IndexPart,
  ): SelectQueryBuilder<Tables, Table, Row>;
  positionOf(row: { id: string; created_at?: Date }): string;
};

/** Orders by id, or by time when the request has a range. Refuses a cursor of another order or of another range. */
export function orderOf(
  { cursor, ...range }: Omit<PageRequest, "limit">,
  { cursors, list }: { cursors: CursorCodec; list: string },
): Order {
  if (!hasRange(range)) {
    const after = startOfPage(cursors, list, cursor);
    return {
      list,
      columns: sql`id desc`,
      walk: (query, of) => walkIndex(query, { of, after, most: mostRows }),
      positionOf: ({ id }) => id,
    };
  }
  const ofRange = nameOfRange(list, range);
  const after = startOfPage(cursors, ofRange, cursor);
  return {
    list: ofRange,
    columns: sql`created_at desc, id desc`,
    walk: (query, of) => walkByTime(query, { of, after, range, most: mostRows }),
    positionOf: positionInTime,
  };
}

/** Walks in the order of (created_at, id), by the only index whose first column has the collation "POSIX". */
function walkByTime<Tables, Table extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Table, Row>,
  { of, after, range, most }: { of: IndexPart; after: string | null; range: CreatedRange; most: number },
): SelectQueryBuilder<Tables, Table, Row> {
  const [first = "", ...others] = Object.keys(of);
  const columns = [sql`${sql.ref(first)} collate "POSIX"`, ...others.map((column) => sql.ref(column))];
  const values = sql.join(Object.values(of));
  const [until = range.createdBefore, id = ""] = after?.split(" ") ?? [];
  return query
    .where(sql<boolean>`(${sql.join(columns)}, created_at, id) < (${values}, ${timeOr("infinity", until)}, ${id})`)
    .where(sql<boolean>`(${sql.join(columns)}, created_at) >= (${values}, ${timeOr("-infinity", range.createdAfter)})`)
    .orderBy(sql`${sql.join(columns, sql` desc, `)} desc, created_at desc, id desc`)
    .limit(sql.lit(most));
}

function timeOr(end: "infinity" | "-infinity", timestamp: string | undefined): Date | string {
  return timestamp === undefined ? end : parseTimestamp(timestamp);
}

/** All times are stored in whole milliseconds. */
function positionInTime(row: { id: string; created_at?: Date }): string {
  if (!row.created_at) {
    throw new Error(`${row.id} was listed by time, and has none.`);
  }
  return `${row.created_at.toISOString()} ${row.id}`;
}

export function hasRange({ createdAfter, createdBefore }: CreatedRange): boolean {
  return createdAfter !== undefined || createdBefore !== undefined;
}

/** Names a range in its cursors, which are valid for that range only. */
export function nameOfRange(list: string, { createdAfter, createdBefore }: CreatedRange): string {
  return `${list} from ${createdAfter ?? ""} to ${createdBefore ?? ""}`;
}

/** For filters that have no index by time. */
export function refuseBesideRange(range: CreatedRange, filters: Readonly<Record<string, string | undefined>>): void {
  const beside = Object.keys(filters).find((name) => filters[name] !== undefined);
  if (beside !== undefined && hasRange(range)) {
    const field = range.createdAfter === undefined ? "createdBefore" : "createdAfter";
    throw invalidField(field, `must not be combined with ${beside}`);
  }
}

/** For a table whose ids contain the creation time of its rows: the order of id is that of (createdAt, id). */
export type IdRange = { from: string; before: string | null };

/** The ids of a range, no older than the oldest that is shown. */
export function idsWithin(
  { createdAfter, createdBefore }: CreatedRange,
  { prefix, oldest }: { prefix: string; oldest: string },
): IdRange {
  const from = createdAfter === undefined ? oldest : startOfIds(prefix, parseTimestamp(createdAfter).getTime());
  const before = createdBefore === undefined ? null : startOfIds(prefix, parseTimestamp(createdBefore).getTime());
  return { from: from > oldest ? from : oldest, before };
}

function hide(value: string | RawBuilder<string>): RawBuilder<string> {
  return sql<string>`(select ${value}::text)`;
}

/** An equality, written as a range. Old statistics can make the planner believe that all rows fulfil an equality. */
export function isExactly(column: string, value: string): RawBuilder<boolean> {
  return sql`${sql.ref(column)} between ${value} and ${value}`;
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

/** Makes a page of `limit` items out of up to `limit + 1` rows. The additional row only shows that more follow. */
export function pageOf<Row extends { id: string }, Item>(
  rows: readonly Row[],
  options: PageOptions<Row, Item>,
): Page<Item> {
  const shown = rows.slice(0, options.limit);
  const last = shown.at(-1);
  const hasMore = rows.length > options.limit && last !== undefined;
  return {
    items: shown.map((row) => options.toItem(row)),
    nextCursor: hasMore ? options.cursors.encode(options.list, options.positionOf?.(last) ?? last.id) : null,
  };
}
