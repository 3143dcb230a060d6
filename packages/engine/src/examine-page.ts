import type { CursorCodec } from "@gateway/kernel";
import { sql, type RawBuilder } from "kysely";
import { endOfIds, mostRows, pageOf, startOfPage, type Page } from "./page.ts";

/** Rows that a page examines before it returns what it found: a quarter of a second of a busy machine. */
export const mostExamined = 20_000;

/** Times `mostRows` in one statement: at first once, because most rows often fit. */
const stepsAtFirst = 1;
const stepsAtOnce = 20;
/** For a page that must come soon: some milliseconds even when each row is in a block of its own. */
const stepsInHaste = 10;

export type Part = { after: string; steps: number; wanted: number };

/** `found`: at most the wanted number, newest first. `last`: the oldest id that was examined. */
export type Examined<Row> = { found: Row[]; count: number; last: string | null };

type ExaminedPageOptions<Row, Item> = {
  cursors: CursorCodec;
  list: string;
  limit: number;
  cursor?: string | undefined;
  /** The list begins before this id. */
  before?: string | null;
  /** After this time the page holds what was found until then. */
  enoughMs?: number;
  /** Examines the newest rows after one id and returns those that fit. */
  examine(part: Part): Promise<Examined<Row>>;
  toItem(row: Row): Item;
};

/**
 * A page of a list whose filter is not a range of an index. It examines about `mostExamined` rows along the index that
 * serves best. It may be empty, and its cursor continues behind the last examined row.
 */
export async function examinePage<Row extends { id: string }, Item>({
  cursor,
  before = null,
  enoughMs,
  examine,
  ...options
}: ExaminedPageOptions<Row, Item>): Promise<Page<Item>> {
  const { cursors, list, limit } = options;
  const found: Row[] = [];
  let after = startOfPage(cursors, list, cursor) ?? before ?? endOfIds;
  const inHaste = enoughMs === undefined ? null : { endMs: performance.now() + enoughMs };
  for (let seen = 0; seen < mostExamined && (!inHaste || seen === 0 || performance.now() < inHaste.endMs);) {
    const steps = inHaste ? stepsInHaste : seen === 0 ? stepsAtFirst : stepsAtOnce;
    const part = await examine({ after, steps, wanted: limit + 1 - found.length });
    found.push(...part.found);
    if (found.length > limit || part.count < steps * mostRows || part.last === null) {
      return pageOf(found, options);
    }
    seen += part.count;
    after = part.last;
  }
  return { items: found.map((row) => options.toItem(row)), nextCursor: cursors.encode(list, after) };
}

/**
 * A part `seen` of a `with recursive`: the newest rows after one id, `mostRows` at a time. A walk of thousands would be
 * planned as a sort of the whole table. This one is always a range of an index (ADR 31).
 */
export function walkInSteps(
  { after, steps }: Pick<Part, "after" | "steps">,
  walk: (after: RawBuilder<string>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const part = walk(sql<string>`place.last`);
  return sql`seen as (
    (select 1 as step, part.* from (select ${after}::text collate "C" as last) place cross join lateral ${part} part)
    union all
    select place.step + 1, part.* from (select step, id as last from seen order by id limit 1) place
    cross join lateral ${part} part
    where place.step < ${sql.lit(steps)}
  )`;
}
