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

/** Who may sign in to which account, and what is mailed. They are looked up by users, secrets and addresses, before an account is known. */
const identity = ["api_keys", "closed_accounts", "grants", "mail_links", "mails", "oauth_applications", "people"];

test("only tables of identities refer to accounts: an account's rows can lie on another server than its identity", async () => {
  const referring = await readNames(`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'accounts'::regclass and conparentid = 0 order by 1
  `);
  expect(referring).toEqual(identity);
});
