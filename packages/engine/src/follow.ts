import { invalidField } from "@gateway/contract";
import { timeOfId } from "@gateway/kernel";
import { type Kysely, type OperationNodeSource, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { mostRows } from "./page.ts";
import {
  giveNumbers,
  hide,
  posix,
  readNumberBefore,
  readSettled,
  type FollowedRows,
  type Settling,
} from "./follow-numbers.ts";
import {
  decodePlace,
  encodePlace,
  oldestUntold,
  type NumberPlace,
  type FollowPlace,
  type PlaceOptions,
} from "./follow-place.ts";

/**
 * Oldest first. `after` is the place behind the page, even when it is empty. `hasMore`: more rows can be read at once.
 */
export type FollowedPage<Item> = { items: Item[]; hasMore: boolean; after: string };

export type FollowRequest = {
  accountId: string;
  /** 1 to 100. */
  limit: number;
  /** `after` of an earlier response. Without it, the page begins with the oldest row that is kept. */
  after?: string | undefined;
};

type FollowOptions<Row, Item> = Omit<FollowRequest, "after"> &
  PlaceOptions &
  FollowedRows &
  Settling & {
    after?: string | undefined;
    lifetimeMs: number;
    /** Condition of the rows that are shown. Without it, all are. With it, a page examines at most `most` rows. */
    only?: { condition: RawBuilder<boolean>; most: number };
    toItem(row: Row): Item;
  };

/**
 * Reads the rows recorded for an account after a place. Each comes once and none is missed, in whatever order
 * transactions end (ADR 62). Settled rows are read in the order of ids, without a write. The rest is read by numbers,
 * which are given when it is read. `query` needs an index of account_id, with the collation "POSIX", follow_epoch,
 * follow_number and id.
 */
export async function readFollowing<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  options: FollowOptions<Row, Item>,
): Promise<FollowedPage<Item>> {
  const place = decodePlace(options, options.after, options);
  const answer = (rows: readonly Row[], hasMore: boolean, next: FollowPlace): FollowedPage<Item> => ({
    items: rows.map((row) => options.toItem(row)),
    hasMore,
    after: encodePlace(options, next),
  });
  if (place.by === "number") {
    const { rows, hasMore, next } = await readByNumber(db, query, { ...options, place });
    return answer(rows, hasMore, next);
  }
  const settled = await readById(db, query, { ...options, place });
  if (settled.next) {
    return answer(settled.rows, true, settled.next);
  }
  const limit = options.limit - settled.rows.length;
  const rest = await readByNumber(db, query, { ...options, limit, place: settled.end });
  return answer([...settled.rows, ...rest.rows], rest.hasMore, rest.next);
}

/** The place behind everything visible now, or one before it: for a list that is read afterwards and then followed. */
export async function readPlace<Tables>(
  db: Kysely<Tables>,
  options: PlaceOptions & FollowedRows & Settling,
): Promise<string> {
  const { nowMs } = options;
  const fromId = await readSettled(db, options);
  let state = await readState(db, { ...options, fromId });
  while (state.hasUnnumbered) {
    await giveNumbers(db, { ...options, fromId });
    state = await readState(db, { ...options, fromId });
  }
  const { epoch, number } = state;
  return encodePlace(options, { by: "number", epoch, number, fromId, atMs: nowMs, allAtMs: nowMs });
}

type State = { epoch: number; number: string; hasUnnumbered: boolean };

async function readState<Tables>(
  db: Kysely<Tables>,
  { accountId, table, fromId }: FollowedRows & { fromId: string },
): Promise<State> {
  const { rows } = await sql<State>`
    select coalesce(epoch, 0) as epoch, coalesce(number, 0) as number, ${isUnnumberedBehind({ accountId, table }, hide(fromId))} as "hasUnnumbered"
    from (select) one left join follow_numbers on account_id = ${accountId} and list = ${table}
  `.execute(db);
  return rows[0] ?? { epoch: 0, number: "0", hasUnnumbered: false };
}

function isUnnumberedBehind({ accountId, table }: FollowedRows, fromId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from ${sql.table(table)}
    where ${posix} = ${hide(accountId)} and follow_epoch is null and follow_number is null and id > ${fromId}
  )`;
}

type Found<Row> = Row & { at_epoch: number; at_number: string; is_told: boolean; place: number | null };

/** `next`: set when more settled rows follow. `end`: the place behind all settled rows. */
async function readById<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { place, ...options }: FollowOptions<Row, Item> & { place: FollowPlace & { by: "id" } },
): Promise<{ rows: Row[]; next: FollowPlace | null; end: NumberPlace }> {
  const { accountId, limit, nowMs, only } = options;
  const settledId = await readSettled(db, options);
  const walk = query
    .where(sql<boolean>`(account_id, id) > (${hide(accountId)}, ${hide(place.id)})`)
    .where(sql<boolean>`(account_id, id) <= (${hide(accountId)}, ${hide(settledId)})`)
    .orderBy(sql`account_id, id`)
    .limit(sql.lit(only?.most ?? mostRows));
  const { rows: seen } = await pageOf<Found<Row>>(walk, options).execute(db);
  const { shown, last } = cut(seen, { limit, most: only?.most });
  const fromId = settledId > place.id ? settledId : place.id;
  const end = async (): Promise<NumberPlace> => {
    const before = await readNumberBefore(db, { ...options, fromId });
    return { by: "number", ...before, fromId, atMs: nowMs, allAtMs: timeOfId(fromId) };
  };
  return {
    rows: shown,
    next: last ? { by: "id", id: last.id, atMs: nowMs } : null,
    // The end is read only for the last page.
    end: last ? { by: "number", epoch: 0, number: "0", fromId, atMs: nowMs, allAtMs: nowMs } : await end(),
  };
}

type NumberedPage<Row> = { rows: Row[]; hasMore: boolean; next: NumberPlace };

async function readByNumber<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  options: FollowOptions<Row, Item> & { place: NumberPlace },
): Promise<NumberedPage<Row>> {
  for (;;) {
    const page = await readNumbered(db, query, options);
    if (page.hasMore || page.unnumberedFrom === null) {
      return page;
    }
    await giveNumbers(db, { ...options, fromId: page.unnumberedFrom });
  }
}

/** `unnumberedFrom`: the page would be longer if the rows behind this id had numbers. */
async function readNumbered<Tables, Table extends keyof Tables, Row extends { id: string }, Item>(
  db: Kysely<Tables>,
  query: SelectQueryBuilder<Tables, Table, Row>,
  { place, ...options }: FollowOptions<Row, Item> & { place: NumberPlace },
): Promise<NumberedPage<Row> & { unnumberedFrom: string | null }> {
  const { accountId, limit, prefix, nowMs, only } = options;
  const account = hide(accountId);
  const walk = query
    .select(sql<number>`follow_epoch`.as("at_epoch"))
    .select(sql<string>`follow_number`.as("at_number"))
    .where(
      sql<boolean>`(${posix}, follow_epoch, follow_number) > (${account}, ${hide(place.epoch, "integer")}, ${hide(place.number, "bigint")})`,
    )
    .where(sql<boolean>`(${posix}, follow_epoch) <= (${account}, ${sql.lit(2 ** 31 - 1)})`)
    .where(sql<boolean>`id > known.from_id`)
    .orderBy(sql`${posix}, follow_epoch, follow_number`)
    .limit(sql.lit(only?.most ?? mostRows));
  const { rows } = await sql<Known & (Found<Row> | { id: null })>`
    with known as materialized (
      select greatest(
          ${place.fromId}::text collate "C",
          case when since_epoch > ${place.epoch}::integer then ${oldestUntold(place, prefix)}::text else '' end
        ) as from_id,
        (case when (epoch, number) > (${place.epoch}::integer, ${place.number}::bigint) then epoch end) as last_epoch,
        number as last_number
      from (select) one left join follow_numbers on account_id = ${accountId} and list = ${options.table}
    ), unnumbered as materialized (
      select ${isUnnumberedBehind(options, sql`known.from_id`)} as has_unnumbered from known
    )
    select known.*, unnumbered.*, page.* from known cross join unnumbered
    left join lateral (${pageOf(walk, options)}) page on true
    order by page.at_epoch, page.at_number
  `.execute(db);
  const [known] = rows;
  if (!known) {
    throw new Error("Postgres did not say which number was the last.");
  }
  const seen = rows.filter((row): row is Known & Found<Row> => row.id !== null);
  const { shown, last, hasMore } = cut(seen, { limit, most: only?.most });
  const told = { by: "number", fromId: known.from_id, atMs: nowMs } as const;
  return {
    rows: shown,
    hasMore,
    next: hasMore
      ? { ...told, ...numberOf(last, place), allAtMs: place.allAtMs }
      : { ...told, ...endOf(known, place), allAtMs: nowMs },
    unnumberedFrom: known.has_unnumbered ? known.from_id : null,
  };
}

/** `last_epoch` is null unless the last given number is behind the place. */
type Known = { from_id: string; has_unnumbered: boolean; last_epoch: number | null; last_number: string | null };

type GivenNumber = Pick<NumberPlace, "epoch" | "number">;

function numberOf(row: { at_epoch: number; at_number: string } | null, otherwise: GivenNumber): GivenNumber {
  return row ? { epoch: row.at_epoch, number: row.at_number } : { epoch: otherwise.epoch, number: otherwise.number };
}

/** The last number is from the same snapshot as the rows, so every row that has a number up to it is among them. */
function endOf({ last_epoch: epoch, last_number: number }: Known, otherwise: GivenNumber): GivenNumber {
  return epoch === null || number === null ? numberOf(null, otherwise) : { epoch, number };
}

/** `last`: more rows follow behind it. Null with `hasMore`: they follow behind the requested place. */
function cut<Row extends { is_told: boolean; place: number | null }>(
  seen: readonly Row[],
  { limit, most }: { limit: number; most: number | undefined },
): { shown: Row[]; last: Row | null; hasMore: boolean } {
  const found = seen.filter(({ is_told: isTold }) => isTold);
  const shown = found.slice(0, limit);
  if (found.length > limit) {
    return { shown, last: shown.at(-1) ?? null, hasMore: true };
  }
  const last = seen.find(({ place }) => most !== undefined && place === most) ?? null;
  return { shown, last, hasMore: last !== null };
}

/**
 * The rows to show and one more, and the last examined row, even if it is not shown: the next page begins behind it.
 */
function pageOf<Row>(
  walk: OperationNodeSource,
  { only, limit }: { only?: { condition: RawBuilder<boolean>; most: number }; limit: number },
): RawBuilder<Row> {
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

/** Following walks one index. A filter that it does not serve is refused, because ignoring it would go unnoticed. */
export function refuseBesideFollowing(
  others: Readonly<Record<string, string | number | undefined>>,
  following: "after" | "waitSeconds",
): void {
  const beside = Object.keys(others).find((name) => others[name] !== undefined);
  if (beside !== undefined) {
    throw invalidField(beside, `must not be combined with ${following}`);
  }
}
