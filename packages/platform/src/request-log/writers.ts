import { createTypeIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { RequestBatch } from "./request-batch.ts";
import type { RequestLogTables } from "./tables.ts";
import { createBatchWriter } from "./batch-writer.ts";

/** What processes write the log by, each over a connection of its own. */
export interface RequestLogWriters {
  createWriterId(): string;
  /**
   * Writes a batch once, however often it is asked to. Answers the last that this writer had written before; it is an earlier one than was acknowledged
   * after a crash of Postgres, or null.
   */
  write(batch: RequestBatch): Promise<{ before: number | null }>;
  /** Nothing will come any more, and nothing is missing. */
  end(writerId: string): Promise<void>;
}

export function createRequestLogWriters(db: Kysely<RequestLogTables>, { clock }: { clock: Clock }): RequestLogWriters {
  const createId = createTypeIds(clock);
  const writeBatch = createBatchWriter(db, createId);
  /** The number that `logged_request` has in this database; another one after a restore, which no connection outlives. */
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
    end: async (writerId) => {
      await sql`delete from request_log_writers where id = ${writerId}`.execute(db);
    },
  };
}

async function readRowType(db: Kysely<RequestLogTables>): Promise<number> {
  const { rows } = await sql<{ number: number }>`select 'logged_request'::regtype::oid::int4 as number`.execute(db);
  return rows[0]?.number ?? 0;
}
