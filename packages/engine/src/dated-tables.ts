import {
  addPartition,
  listPartitions,
  partitionName,
  transaction,
  type Executor,
  type Partition,
} from "@gateway/database";
import { startOfIds, timeOfId } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";

/**
 * Tables partitioned by the time in their ids. Spans begin at multiples of `spanMs`. Tables that others need come last.
 */
export type DatedTables = { spanMs: number; tables: readonly { table: string; prefix: string }[] };

const lockId = 7_306_512_404_119;

export function startOfSpan({ spanMs }: Pick<DatedTables, "spanMs">, timeMs: number): number {
  return Math.floor(timeMs / spanMs) * spanMs;
}

/**
 * Creates the partitions of this span, of the next, and one for a gap before them. Returns the time that they reach.
 * Any number of processes may call it at once.
 */
export async function createDatedPartitions<Tables>(
  db: Kysely<Tables>,
  { spanMs, tables }: DatedTables,
  nowMs: number,
): Promise<number> {
  const startMs = startOfSpan({ spanMs }, nowMs);
  const endMs = startMs + 2 * spanMs;
  const knownMs = Math.min(...(await Promise.all(tables.map(({ table }) => findEnd(db, table)))));
  if (knownMs >= endMs) {
    return knownMs;
  }
  await transaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(lockId)})`.execute(trx);
    for (const { table, prefix } of tables) {
      const lastMs = await findEnd(trx, table);
      const ends = [startMs, startMs + spanMs, endMs].filter((end) => end > lastMs);
      for (const [index, end] of ends.entries()) {
        const from = startOfIds(prefix, ends[index - 1] ?? lastMs);
        await addPartition(trx, { table, name: partitionName(table, end), from, to: startOfIds(prefix, end) });
      }
    }
  });
  return endMs;
}

async function findEnd(db: Executor, table: string): Promise<number> {
  const last = (await listPartitions(db, table)).findLast(({ state }) => state === "attached");
  return last ? timeOfId(last.end) : 0;
}

/** Partitions that ended before a time, and those whose drop was not finished. */
export async function findExpiredPartitions(
  db: Executor,
  { tables }: DatedTables,
  beforeMs: number,
): Promise<(Partition & { table: string })[]> {
  const found = await Promise.all(
    tables.map(async ({ table, prefix }) => {
      const before = startOfIds(prefix, beforeMs);
      const known = await listPartitions(db, table);
      return known
        .filter(({ state, end }) => state !== "attached" || end <= before)
        .map((partition) => ({ table, ...partition }));
    }),
  );
  return found.flat();
}
