import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/**
 * A rule asks for five approvals at most, and what a key asks for that an operator made needs one more (ADR 52). The
 * rows that are there keep the narrower rule, so none of them is read.
 */
export const sixApprovals: LockingMigration = {
  locks: ["approvals"],
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `alter table approvals
          drop constraint approvals_required_approvals_check,
          add constraint approvals_required_approvals_check check (required_approvals between 1 and 6) not valid`,
      )
      .execute(db);
  },
};
