import type { LockingMigration } from "@gateway/database";
import { sql, type Kysely } from "kysely";

const tables = ["users", "accounts", "people", "mail_links"] as const;

/**
 * By what addresses are told apart, beside each: `lower(email)` was another one in each locale. A trigger keeps it, so also rows of the release
 * before have it; that one goes on with its own indexes, which a later migration removes.
 *
 * Where the locale told two addresses apart that are one now (`INFO@` and `info@` in a Turkish one), the elder has the key and the other
 * none: it is not found by its address any more, and nothing else of it changes.
 *
 * The tables are locked meanwhile. With 300,000 accounts of one person each it took 45 s on two cores that five programs wanted; an
 * UPDATE of every row took 67 s there, and would have told each gateway of each account.
 */
export const emailKeys: LockingMigration = {
  locks: tables,
  async up(db: Kysely<unknown>) {
    for (const statement of [...rule, ...keys, ...filled, ...younger, ...indexes]) {
      await sql.raw(statement).execute(db);
    }
  },
};

const rule = [
  `create function fold_email(address text) returns text language sql immutable strict parallel safe
    return translate(address collate "C", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`,
  `create function keep_email_key() returns trigger language plpgsql as $$
  begin
    new.email_key := fold_email(new.email);
    return new;
  end $$`,
];

const keys = tables.flatMap((table) => [
  `alter table ${table} add column email_key text`,
  `create trigger ${table}_email_key before insert or update of email on ${table} for each row
    execute function keep_email_key()`,
]);

/** The table written anew, without triggers: nobody's permission changes. */
const filled = tables.map(
  (table) => `alter table ${table} alter column email_key type text collate "C" using fold_email(email)`,
);

const withoutKey = (table: string, among: string): string => `
  update ${table} set email_key = null where id in (
    select id from (select id, row_number() over (partition by ${among} order by id) as number from ${table}) each
    where number > 1
  )`;

const younger = [
  withoutKey("users", "email_key"),
  withoutKey("accounts", "email_key"),
  withoutKey("people", "account_id, email_key"),
];

const indexes = [
  `create unique index users_by_email_key on users (email_key)`,
  `create unique index accounts_by_email_key on accounts (email_key)`,
  `create unique index people_by_email_key on people (account_id, email_key)`,
  `create index mail_links_by_email_key on mail_links (email_key) where used_at is null`,
];
