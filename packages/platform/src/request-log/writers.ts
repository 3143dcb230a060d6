import { createTypeIds, type Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type { RequestBatch } from "./request-batch.ts";
import type { RequestLogTables } from "./tables.ts";
import { writeBatch } from "./write-batch.ts";

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
  return {
    createWriterId: () => createId("wri"),
    write: (batch) => writeBatch(db, { createId }, batch),
    end: async (writerId) => {
      await sql`delete from request_log_writers where id = ${writerId}`.execute(db);
    },
  };
}
