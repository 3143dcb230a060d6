import { createTestDatabase } from "@gateway/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

let db: pg.Client;
beforeAll(async () => {
  db = new pg.Client((await createTestDatabase()).url);
  await db.connect();
});
afterAll(() => db.end());

async function readNames(query: string): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(query);
  return rows.map(({ name }) => name);
}

/**
 * Tables of sign-in, access and mails. Their rows are found by users, secrets and addresses, before an account is
 * known.
 */
const identity = ["api_keys", "closed_accounts", "grants", "mail_links", "mails", "oauth_applications", "people"];

test("only identities refer to accounts, so an account's rows can lie on another server", async () => {
  const referring = await readNames(`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'accounts'::regclass and conparentid = 0 order by 1
  `);
  expect(referring).toEqual(identity);
});

/**
 * Rows that belong to no account, or to one that is not known yet when they are looked up; and the channels of
 * followers.
 */
const global = [...identity, "accounts", "console_sessions", "followers", "request_log_gaps"];

test("the key of every other table that names an account begins with it", async () => {
  const keyed = await readNames(`
    select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'account_id'
      join pg_index on indrelid = pg_class.oid and indisprimary
    where relkind in ('r', 'p') and not relispartition and indkey[0] <> attnum order by 1
  `);
  expect(keyed.filter((name) => !global.includes(name))).toEqual([]);
});
