import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/** What people are shown of accounts and applications. An account without a name, also one that the release before makes, goes by its address. */
const statements = [
  `alter table accounts add column name text`,
  `alter table oauth_applications add column logo_uri text, add column website_url text`,
];

export const namesOfAccounts: LockingMigration = {
  locks: ["accounts", "oauth_applications"],
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
