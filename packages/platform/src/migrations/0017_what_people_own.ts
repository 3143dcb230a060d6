import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

/**
 * What people are shown of accounts and applications. An account without a name, also one that the release before makes, goes by its address.
 * And the links by which a user takes another address, and what is to become of closed accounts.
 */
const statements = [
  `alter table accounts add column name text`,
  `alter table oauth_applications add column logo_uri text, add column website_url text`,
  `alter table mail_links
    drop constraint mail_links_purpose_check,
    add constraint mail_links_purpose_check
      check (purpose in ('sign_up', 'password_reset', 'invitation', 'email_change')),
    add column user_id text collate "C" references users (id) on delete cascade`,
  `create table closed_accounts (
    account_id text collate "C" primary key references accounts (id),
    user_ids text[] not null,
    closed_at timestamptz not null,
    erased_at timestamptz
  )`,
];

export const whatPeopleOwn: LockingMigration = {
  locks: ["accounts", "oauth_applications", "users", "mail_links"],
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
