import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/**
 * What a payment that compliance stopped would have made in 24 hours, so that its reason can say it. Null for all
 * others, and for those of before.
 */
export const complianceSum: LockingMigration = {
  locks: ["payments"],
  async up(db: Kysely<unknown>) {
    await sql`alter table payments add column compliance_sum bigint`.execute(db);
  },
};
