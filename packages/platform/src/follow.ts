import { invalidField } from "@gateway/contract";
import type { Executor } from "@gateway/database";
import { startOfIds, type CursorCodec } from "@gateway/kernel";
import { sql, type RawBuilder, type SelectQueryBuilder } from "kysely";
import { mostRows } from "./page.ts";

/**
 * What came after a place, oldest first. `after` is the place behind it, also when there is nothing; `hasMore`: there is more at once.
 */
export type FollowedPage<Item> = { items: Item[]; hasMore: boolean; after: string };

export type FollowRequest = {
  accountId: string;
  /** 1 to 100. */
  limit: number;
  /** Of an answer before; without it, from the oldest that is kept. */
  after?: string | undefined;
};

type FollowOptions<Row, Item> = FollowRequest & {
  /** The table, for the repeats of a new epoch. */
  table: string;
  /** Of its ids. */
  prefix: string;
  cursors: CursorCodec;
  /** What the cursors go by. */
  list: string;
  nowMs: number;
  lifetimeMs: number;
  /** Of a row: whether it is told. Without it, each is; with it, at most `most` are looked at for a page. */
  only?: { condition: RawBuilder<boolean>; most: number };
  toItem(row: Row): Item;
};

/** `tx`: a decimal number. `atMs`: when it was told. */
type CommitPlace = { epoch: number; tx: string; id: string; atMs: number };

/** How far before its last answer a follower begins again in a new epoch: more than clocks differ, and transactions last. */
const repeatMs = 10 * 60_000;

/**
 * What was recorded for an account after a place, each row once, and none missed, whatever the order in which transactions end (ADR 62). `query` selects
 * from one table with the columns account_id, epoch, tx and id, and an index of them, the first with the collation "POSIX".
 *
 * An id, or a time, is chosen before its row can be seen: whoever asks for what is greater than the last one misses what was chosen before
 * and committed later. So the order is that of transactions, and what is told ends before the oldest that is under way, for of those
 * before it nothing more is to come. A new epoch begins where numbers of transactions may begin lower (`raiseGatewayEpoch`).
 */
export async function readFollowing<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Executor,
  query: SelectQueryBuilder<Tables, Table, Row>,
  options: FollowOptions<Row, Item>,
): Promise<FollowedPage<Item>> {
  const place = placeOf(options);
  const read = await readFrom(db, query, { ...options, place });
  if (place.epoch === 0 || place.epoch === read.end.epoch) {
    return read.page;
  }
  const again = await findRepeat(db, { place, end: read.end }, options);
  return (await readFrom(db, query, { ...options, place: again })).page;
}

/** The place behind all that can be seen now, or before: to follow on from a list that is read afterwards. */
export async function readPlace(
  db: Executor,
  { accountId, cursors, list, nowMs }: Pick<FollowOptions<never, never>, "accountId" | "cursors" | "list" | "nowMs">,
): Promise<string> {
  const { rows } = await sql<Bound>`select ${bound}`.execute(db);
  return encode({ accountId, cursors, list }, endOf(rows[0], nowMs));
}

const bound = sql`gateway_epoch() as end_epoch, pg_snapshot_xmin(pg_current_snapshot()) as end_tx`;

type Bound = { end_epoch: number; end_tx: string };

type Read<Item> = { page: FollowedPage<Item>; end: CommitPlace };

/** One statement, so the rows and their end are of one snapshot. */
async function readFrom<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Executor,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { place, ...options }: FollowOptions<Row, Item> & { place: CommitPlace },
): Promise<Read<Item>> {
  const { accountId, limit, prefix, nowMs, lifetimeMs } = options;
  const account = hide(accountId);
  const walk = query
    .select(sql<number>`epoch`.as("at_epoch"))
    .select(sql<string>`tx`.as("at_tx"))
    .where(
      sql<boolean>`(${posix}, epoch, tx, id) > (${account}, ${hide(place.epoch, "integer")}, ${hide(place.tx, "xid8")}, ${hide(place.id)})`,
    )
    .where(sql<boolean>`(${posix}, epoch, tx) < (${account}, bound.end_epoch, bound.end_tx)`)
    .where(sql<boolean>`id >= ${hide(startOfIds(prefix, nowMs - lifetimeMs))}`)
    .orderBy(sql`${posix}, epoch, tx, id`)
    .limit(sql.lit(options.only?.most ?? mostRows));
  const { rows } = await sql<Bound & FoundRow<Row>>`
    select bound.*, page.* from (select ${bound}) bound
    left join lateral (${pageOf(walk as never, options)}) page on true
    order by page.at_epoch, page.at_tx, page.id
  `.execute(db);
  const end = endOf(rows[0], nowMs);
  const seen = rows.filter((row): row is Bound & Found<Row> => row.id !== null);
  const found = seen.filter(({ is_told: isTold }) => isTold);
  const shown = found.slice(0, limit);
  // Behind it there may be more: of what is told, or of what was not looked at.
  const last = found.length > limit ? shown.at(-1) : seen.find(({ place: at }) => at === options.only?.most);
  const next = last ? { epoch: last.at_epoch, tx: last.at_tx, id: last.id, atMs: nowMs } : end;
  return {
    page: { items: shown.map((row) => options.toItem(row)), hasMore: last !== undefined, after: encode(options, next) },
    end,
  };
}

/** What is told, one too many; and the last row that was looked at, told or not, for behind it the next page begins. */
function pageOf(
  walk: SelectQueryBuilder<never, never, unknown>,
  { only, limit }: { only?: { condition: RawBuilder<boolean>; most: number }; limit: number },
): RawBuilder<unknown> {
  if (!only) {
    return sql`select *, true as is_told, null::int4 as place from ${walk} walk limit ${limit + 1}`;
  }
  return sql`
    select * from (
      select *, (${only.condition}) as is_told, (row_number() over ())::int4 as place from ${walk} walk
    ) looked_at
    where is_told or place = ${sql.lit(only.most)} limit ${limit + 1}
  `;
}

type Found<Row> = Row & { at_epoch: number; at_tx: string; is_told: boolean; place: number | null };
type FoundRow<Row> = Found<Row> | { id: null };

/** Of an index that no other begins as (ADR 31). */
const posix = sql`account_id collate "POSIX"`;

/** So that no plan depends on the value. */
function hide(value: string | number, type = "text"): RawBuilder<unknown> {
  return sql`(select ${value}::text::${sql.raw(type)})`;
}

function endOf(row: Bound | undefined, nowMs: number): CommitPlace {
  if (!row) {
    throw new Error("Postgres did not say which transactions have ended.");
  }
  return { epoch: row.end_epoch, tx: row.end_tx, id: "", atMs: nowMs };
}

/**
 * Where a follower goes on whose last answer was of another epoch. Since then the database may have gone back, or have been exchanged for another one,
 * and written anew, with other numbers, before anybody noticed. What it has not seen was recorded after that answer, so it begins
 * with the first transaction of that time, and a little earlier.
 */
async function findRepeat(
  db: Executor,
  { place, end }: { place: CommitPlace; end: CommitPlace },
  { accountId, table, prefix }: Pick<FollowOptions<never, never>, "accountId" | "table" | "prefix">,
): Promise<CommitPlace> {
  const { rows } = await sql<Pick<CommitPlace, "epoch" | "tx">>`
    select epoch, tx from ${sql.table(table)}
    where (account_id, id) > (${hide(accountId)}, ${hide(startOfIds(prefix, place.atMs - repeatMs))}) and account_id <= ${hide(accountId)}
    order by epoch, tx limit 1
  `.execute(db);
  const [first = end] = rows;
  const isBefore = place.epoch < first.epoch || (place.epoch === first.epoch && BigInt(place.tx) < BigInt(first.tx));
  return isBefore ? place : { ...first, id: "", atMs: place.atMs };
}

/** Following walks one index: what it does not tell apart is refused, and not left out in silence. */
export function refuseBesideFollowing(
  others: Readonly<Record<string, string | number | undefined>>,
  following: "after" | "waitSeconds",
): void {
  const beside = Object.keys(others).find((name) => others[name] !== undefined);
  if (beside !== undefined) {
    throw invalidField(beside, `must not be sent beside ${following}`);
  }
}

function encode(
  { accountId, cursors, list }: Pick<FollowOptions<never, never>, "accountId" | "cursors" | "list">,
  place: CommitPlace,
): string {
  return cursors.encode(`${list} ${accountId}`, [place.epoch, place.tx, place.atMs, place.id].join(" "));
}

/** Refuses what was not answered here, and what is so old that rows behind it are gone. */
function placeOf({ accountId, cursors, list, after, nowMs, lifetimeMs }: FollowOptions<never, unknown>): CommitPlace {
  if (after === undefined) {
    return { epoch: 0, tx: "0", id: "", atMs: nowMs };
  }
  const position = cursors.decode(`${list} ${accountId}`, after);
  if (position === null) {
    throw invalidField("after", "is not a place in this list; send the meta.after of an answer before unchanged");
  }
  // As `encode` wrote it.
  const [epoch = "", tx = "", atMs = "", id = ""] = position.split(" ");
  if (Number(atMs) < nowMs - lifetimeMs) {
    const days = Math.round(lifetimeMs / 86_400_000);
    throw invalidField(
      "after",
      `is more than ${days} days old, and some of what came after it is gone; leave it out to begin with the oldest that is kept`,
    );
  }
  return { epoch: Number(epoch), tx, id, atMs: Number(atMs) };
}
