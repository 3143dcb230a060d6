import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

const id = 'text collate "C"';

const statements = [
  `create table authenticators (
    user_id ${id} primary key references users (id),
    secret bytea not null,
    last_step integer not null,
    created_at timestamptz not null
  )`,
  `create table recovery_codes (
    user_id ${id} not null references authenticators (user_id) on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  )`,
  `alter table sessions add column second_factor text check (second_factor in ('totp', 'recovery_code'))`,
  `alter table accounts add column owners_need_second_factor boolean not null default false`,
];

/** Codes of an authenticator app beside the password, and the accounts whose owners need a second factor. */
export const secondFactors: LockingMigration = {
  locks: ["sessions", "accounts"],
  async up(db: Kysely<unknown>) {
    for (const statement of statements) {
      await sql.raw(statement).execute(db);
    }
  },
};
