import { createTypeIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { RequestBatch } from "./request-batch.ts";
import type { RequestLogTables } from "./tables.ts";
import { createBatchWriter } from "./batch-writer.ts";
import { lostAtMostMs } from "./gaps.ts";

/** What processes write the log by, each over a connection of its own. */
export interface RequestLogWriters {
  createWriterId(): string;
  /**
   * Writes a batch once, however often it is asked to. Answers the last that this writer had written before; it is an
   * earlier one than was acknowledged after a crash of Postgres, or null.
   */
  write(batch: RequestBatch): Promise<{ before: number | null }>;
  /**
   * For a writer that writes its first batch, or its first after a failure: the gaps of writers that have fallen silent
   * meanwhile last until now. One that was killed while Postgres was away may have answered requests until then.
   * `sinceMs`: when it last wrote, null at its start.
   */
  coverSilence(options: { writerId: string; sinceMs: number | null }): Promise<void>;
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
    coverSilence: async ({ writerId, sinceMs }) => {
      await moveSilentEnds(db, { writerId, fellSilent: sinceMs === null ? beforeStart : beforeFailure(sinceMs) });
    },
    end: async (writerId) => {
      await sql`delete from request_log_writers where id = ${writerId}`.execute(db);
    },
  };
}

/** One that writes every half second, and has not for so long, cannot or does not live any more. */
const aliveMs = 1_000;
/**
 * In so long a writer that lives reaches Postgres again after another one has. Then its own mark takes the place of
 * this one.
 */
const backWithinMs = 5_000;
/**
 * One that could not reach Postgres while others could is started again by then. Later, its end is not moved: nobody
 * knows that it lived.
 */
const aloneAwayMs = 10 * 60_000;

/** It fell silent in the outage that ends now, or a moment before: it wrote last when the one that asks did. */
function beforeFailure(sinceMs: number): RawBuilder<boolean> {
  return sql`writer.written_at >= ${new Date(sinceMs - backWithinMs)}`;
}

/** Nobody has written since, so Postgres was perhaps away; or it was a short while ago. */
const beforeStart = sql<boolean>`(
  writer.written_at >= gateway_now() - ${sql.lit(aloneAwayMs)} * interval '1 millisecond'
  or not exists (
    select from request_log_writers later
    where later.id not in (writer.id, self.id)
      and later.written_at > writer.written_at + ${sql.lit(backWithinMs)} * interval '1 millisecond'
  )
)`;

/**
 * Once for each: what was taken after it was written is the end of a gap. A row that is being written belongs to a
 * writer that lives, and nobody waits for it, so writers that come back at once do not block each other.
 */
async function moveSilentEnds(
  db: Kysely<RequestLogTables>,
  { writerId, fellSilent }: { writerId: string; fellSilent: RawBuilder<boolean> },
): Promise<void> {
  await sql`
    update request_log_writers set taken_at = gateway_now() + ${backWithinMs - lostAtMostMs} * interval '1 millisecond'
    where id in (
      select writer.id from (select ${writerId}::text as id) self, request_log_writers writer
      where writer.id <> self.id and writer.taken_at <= writer.written_at + interval '1 second'
        and writer.written_at < gateway_now() - ${aliveMs} * interval '1 millisecond' and ${fellSilent}
      for update of writer skip locked
    )
  `.execute(db);
}

async function readRowType(db: Kysely<RequestLogTables>): Promise<number> {
  const { rows } = await sql<{ number: number }>`select 'logged_request'::regtype::oid::int4 as number`.execute(db);
  return rows[0]?.number ?? 0;
}
