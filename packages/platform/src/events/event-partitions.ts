import { addPartition, listPartitions, partitionName, transaction, type Executor } from "@gateway/database";
import { startOfIds, timeOfId, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { EventsTables } from "./tables.ts";

/** Events are kept for 30 days, with their deliveries and attempts. Their rows go later, with all of their week. */
export const eventLifetimeMs = 30 * 24 * 60 * 60 * 1000;

/** What is dated, and the prefix of the ids that it is partitioned by. In the order in which partitions go: what others need goes last. */
export const datedTables = [
  { table: "events", prefix: "evt" },
  { table: "deliveries", prefix: "dlv" },
  { table: "delivery_attempts", prefix: "dlv" },
] as const;

export const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Weeks begin on Thursday, 0:00 UTC, as the epoch did. */
export function startOfWeek(timeMs: number): number {
  return Math.floor(timeMs / weekMs) * weekMs;
}

/** The first id of what is still shown. */
export function oldestKept(prefix: "evt" | "dlv", clock: Clock): string {
  return startOfIds(prefix, clock.now() - eventLifetimeMs);
}

const lockId = 7_306_512_404_119;

/**
 * Makes partitions for this week and the next where they are missing, and one for all of the time since the last one before, if there
 * is a gap. Any number of processes may do so at once, while others read and write. Answers until when there are partitions.
 */
export async function createPartitions(db: Kysely<EventsTables>, { nowMs }: { nowMs: number }): Promise<number> {
  const thisWeekMs = startOfWeek(nowMs);
  const endMs = thisWeekMs + 2 * weekMs;
  const knownMs = Math.min(...(await Promise.all(datedTables.map(({ table }) => findEnd(db, table)))));
  if (knownMs >= endMs) {
    return knownMs;
  }
  await transaction(db, async (trx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(lockId)})`.execute(trx);
    for (const { table, prefix } of datedTables) {
      const lastMs = await findEnd(trx, table);
      const ends = [thisWeekMs, thisWeekMs + weekMs, endMs].filter((end) => end > lastMs);
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
