import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

function tellingChanges(
  trigger: string,
  { table, untold, tell }: { table: string; untold: readonly string[]; tell: string },
): string[] {
  const told = (version: string): string => `to_jsonb(${version}) - '{${untold.join(",")}}'::text[]`;
  return [
    `drop trigger ${trigger} on ${table}`,
    `create trigger ${trigger} after update on ${table} for each row
      when (${told("old")} is distinct from ${told("new")}) execute function ${tell}()`,
  ];
}

/**
 * What people are shown of their account, and change. An address that waits to be confirmed stands beside the one that is written to. What is
 * used says when; that it was used changes nobody's permission, so no gateway is told. The release before knows of none of it and goes on.
 */
const statements = [
  `alter table accounts
    add column pending_email text,
    add column pending_email_expires_at timestamptz,
    add constraint accounts_pending_email_check check ((pending_email is null) = (pending_email_expires_at is null))`,
  `alter table mail_links
    drop constraint mail_links_purpose_check,
    add constraint mail_links_purpose_check
      check (purpose in ('sign_up', 'password_reset', 'invitation', 'email_change', 'account_email')),
    add column account_id text collate "C" references accounts (id) on delete cascade`,

  `alter table api_keys add column last_used_from jsonb`,
  ...tellingChanges("api_keys_updated", {
    table: "api_keys",
    untold: ["last_used_at", "last_used_from"],
    tell: "notify_key_changed",
  }),
  `alter table people add column last_used_at timestamptz`,
  ...tellingChanges("people_changed", {
    table: "people",
    untold: ["email_key", "last_used_at"],
    tell: "notify_account_credentials_changed",
  }),
  // Its triggers name the columns that they are for.
  `alter table oauth_applications add column last_used_at timestamptz`,
];

export const accountScreens: LockingMigration = {
  locks: ["accounts", "mail_links", "api_keys", "people", "oauth_applications"],
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
