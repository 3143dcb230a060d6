import type { Kysely, UpdateQueryBuilder, UpdateResult } from "kysely";
import type { AuthTables } from "./tables.ts";

export function endSessions(
  db: Kysely<AuthTables>,
  { userId, now }: { userId: string; now: Date },
): UpdateQueryBuilder<AuthTables, "sessions", "sessions", UpdateResult> {
  return db.updateTable("sessions").set({ ended_at: now }).where("user_id", "=", userId).where("ended_at", "is", null);
}
