import {
  buildIndexes,
  createMissingIndexes,
  findMissingIndexes,
  type LockingMigration,
  type PreparedMigration,
} from "@gateway/database";
import { sql, type Kysely } from "kysely";
import { untilLocked } from "./until-locked.ts";

const tables = ["users", "accounts", "people", "mail_links"] as const;
type Table = (typeof tables)[number];

/**
 * By what addresses are told apart, beside each: `lower(email)` was another one in each locale. A trigger keeps it, so also rows of the release
 * before have it; that one goes on with its own indexes, which a later migration removes.
 *
 * Where the locale told two addresses apart that are one now (`INFO@` and `info@` in a Turkish one), the elder has the key and the other
 * none: it is not found by its address any more, and nothing else of it changes.
 *
 * Rows of before get theirs while others write, some thousand at a time.
 */
export const emailKeys: PreparedMigration & LockingMigration = {
  // After the rows have keys.
  indexes: [],
  locks: tables,
  async prepare(db) {
    for (const table of tables) {
      if (await exists(db, table)) {
        await untilLocked(db, (trx) => addKey(trx, table));
        await fillKeys(db, table);
      }
    }
    const missing = await findMissingIndexes(db, indexes);
    for (const { table, among } of missing) {
      await forgetYounger(db, table, among);
    }
    await buildIndexes(db, missing);
  },
  async up(db: Kysely<unknown>) {
    for (const table of tables) {
      await addKey(db, table);
    }
    await createMissingIndexes(db, [...indexes, openLinks]);
  },
};

const indexes = [
  { name: "users_by_email_key", table: "users", among: "email_key" },
  { name: "accounts_by_email_key", table: "accounts", among: "email_key" },
  { name: "people_by_email_key", table: "people", among: "account_id, email_key" },
].map((index) => ({ ...index, on: `${index.table} (${index.among})`, isUnique: true }));

/** Of a small table: links end after days. */
const openLinks = { name: "mail_links_by_email_key", on: "mail_links (email_key) where used_at is null" };

const rule = [
  `create or replace function fold_email(address text) returns text language sql immutable strict parallel safe
    return translate(address collate "C", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`,
  `create or replace function keep_email_key() returns trigger language plpgsql as $$
  begin
    new.email_key := fold_email(new.email);
    return new;
  end $$`,
];

async function addKey(db: Kysely<unknown>, table: Table): Promise<void> {
  const { rows } = await sql`
    select from pg_attribute where attrelid = ${table}::regclass and attname = 'email_key'
  `.execute(db);
  if (rows.length > 0) {
    return;
  }
  const statements = [
    ...rule,
    `alter table ${table} add column email_key text collate "C"`,
    `create trigger ${table}_email_key before insert or update of email on ${table} for each row
      execute function keep_email_key()`,
    ...(told[table] ?? []),
  ];
  for (const statement of statements) {
    await sql.raw(statement).execute(db);
  }
}

/** A key that is filled in changes nobody's permission, so no gateway is told. */
const told: Partial<Record<Table, string[]>> = {
  accounts: tellingChanges("accounts", "notify_account_changed"),
  people: tellingChanges("people", "notify_account_credentials_changed"),
};

function tellingChanges(table: Table, tell: string): string[] {
  return [
    `drop trigger ${table}_changed on ${table}`,
    `create trigger ${table}_changed after update on ${table} for each row
      when (to_jsonb(old) - 'email_key' is distinct from to_jsonb(new) - 'email_key') execute function ${tell}()`,
    `create trigger ${table}_deleted after delete on ${table} for each row execute function ${tell}()`,
  ];
}

const batchSize = 2_000;

async function fillKeys(db: Kysely<unknown>, table: Table): Promise<void> {
  const key = sql.id(table === "mail_links" ? "secret_hash" : "id");
  for (let after = sql`true`; ;) {
    const { rows } = await sql<{ key: unknown }>`
      select ${key} as key from ${sql.id(table)} where ${after} order by ${key} limit ${sql.lit(batchSize)}
    `.execute(db);
    const last = rows.at(-1);
    if (last === undefined) {
      return;
    }
    const keys = rows.map((row) => row.key);
    await sql`update ${sql.id(table)} set email_key = fold_email(email) where ${key} = any(${keys}) and email_key is null`.execute(
      db,
    );
    after = sql`${key} > ${last.key}`;
  }
}

async function forgetYounger(db: Kysely<unknown>, table: string, among: string): Promise<void> {
  await sql`
    update ${sql.id(table)} set email_key = null where id in (
      select id from (
        select id, row_number() over (partition by ${sql.raw(among)} order by id) as number from ${sql.id(table)}
        where email_key is not null
      ) each where number > 1
    )
  `.execute(db);
}

async function exists(db: Kysely<unknown>, table: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select to_regclass(${table}) is not null as is`.execute(db);
  return rows[0]?.is ?? false;
}
