import { createTypeIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { RequestBatch } from "./request-batch.ts";
import type { RequestLogTables } from "./tables.ts";
import { createBatchWriter } from "./batch-writer.ts";

/** Writes the log for processes, each of which has a connection of its own. */
export type RequestLogWriters = ReturnType<typeof createRequestLogWriters>;

export function createRequestLogWriters(db: Kysely<RequestLogTables>, { clock }: { clock: Clock }) {
  const createId = createTypeIds(clock);
  const writeBatch = createBatchWriter(db, createId);
  /** The number of `logged_request` in this database. It differs after a restore. */
  let rowType: Promise<number> | null = null;
  return {
    createWriterId: () => createId("wri"),
    /** Writes a batch once, however often it is called. Returns what this writer had written before. */
    write: async (batch: RequestBatch) => {
      try {
        rowType ??= readRowType(db);
        return await writeBatch(batch, await rowType);
      } catch (error) {
        rowType = null;
        throw error;
      }
    },
    /**
     * Extends the gaps of silent writers to now: one killed while Postgres was away may have accepted requests until
     * then.
     */
    coverSilence: (writerId: string) => moveSilentEnds(db, writerId),
    /** The writer has ended, and nothing is missing. */
    end: async (writerId: string) => {
      await sql`delete from request_log_writers where id = ${writerId}`.execute(db);
    },
  };
}

/** A writer writes every half second. One that is silent for longer cannot write, or is dead. */
const aliveMs = 1_000;
/** A living writer reaches Postgres again within this time after another one has. */
const backWithinMs = 5_000;
/** The time after which a writer that alone could not reach Postgres is restarted. */
const aloneAwayMs = 10 * 60_000;

/**
 * Covers writers that fell silent a short while ago. Older ones are included when no other has written since, because
 * Postgres may have been away. Each is moved once: a `taken_at` after `written_at` is the end of a gap. A living writer
 * that writes again overwrites it.
 */
async function moveSilentEnds(db: Kysely<RequestLogTables>, writerId: string): Promise<void> {
  await sql`
    update request_log_writers set taken_at = gateway_now()
    where id in (
      select writer.id from request_log_writers writer
      where writer.id <> ${writerId} and writer.taken_at <= writer.written_at + interval '1 second'
        and writer.written_at < gateway_now() - ${sql.lit(aliveMs)} * interval '1 millisecond'
        and (
          writer.written_at >= gateway_now() - ${sql.lit(aloneAwayMs)} * interval '1 millisecond'
          or not exists (
            select from request_log_writers later
            where later.id not in (writer.id, ${writerId})
              and later.written_at > writer.written_at + ${sql.lit(backWithinMs)} * interval '1 millisecond'
          )
        )
      for update of writer skip locked
    )
  `.execute(db);
}

async function readRowType(db: Kysely<RequestLogTables>): Promise<number> {
  const { rows } = await sql<{ number: number }>`select 'logged_request'::regtype::oid::int4 as number`.execute(db);
  return rows[0]?.number ?? 0;
}
