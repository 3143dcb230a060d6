import { createTypeIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { RequestBatch } from "./request-batch.ts";
import type { RequestLogTables } from "./tables.ts";
import { createBatchWriter, type Before } from "./batch-writer.ts";

/** What processes write the log by, each over a connection of its own. */
export interface RequestLogWriters {
  createWriterId(): string;
  /** Writes a batch once, however often it is asked to. Answers what this writer had written before. */
  write(batch: RequestBatch): Promise<Before | null>;
  /** The gaps of silent writers last until now: one killed while Postgres was away may have answered until then. */
  coverSilence(writerId: string): Promise<void>;
  /** Nothing will come any more, and nothing is missing. */
  end(writerId: string): Promise<void>;
}

export function createRequestLogWriters(db: Kysely<RequestLogTables>, { clock }: { clock: Clock }): RequestLogWriters {
  const createId = createTypeIds(clock);
  const writeBatch = createBatchWriter(db, createId);
  /**
   * The number that `logged_request` has in this database; another one after a restore, which no connection outlives.
   */
  let rowType: Promise<number> | null = null;
  return {
    createWriterId: () => createId("wri"),
    write: async (batch) => {
      try {
        rowType ??= readRowType(db);
        return await writeBatch(batch, await rowType);
      } catch (error) {
        rowType = null;
        throw error;
      }
    },
    coverSilence: (writerId) => moveSilentEnds(db, writerId),
    end: async (writerId) => {
      await sql`delete from request_log_writers where id = ${writerId}`.execute(db);
    },
  };
}

/** One that writes every half second, and has not for so long, cannot or does not live any more. */
const aliveMs = 1_000;
/** In so long a writer that lives reaches Postgres again after another one has. */
const backWithinMs = 5_000;
/** One that could not reach Postgres while others could is started again by then. */
const aloneAwayMs = 10 * 60_000;

/**
 * Of those that fell silent a short while ago, or when nobody has written since, so that Postgres was perhaps away. Once
 * for each: what was taken after it was written is the end of a gap. One that lives and writes again writes over it.
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
