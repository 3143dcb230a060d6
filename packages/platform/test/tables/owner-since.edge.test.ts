import { createTestDatabase } from "@gateway/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

let db: pg.Client;

beforeAll(async () => {
  db = new pg.Client((await createTestDatabase()).url);
  await db.connect();
  await db.query(`
    insert into accounts (id, email, tier, created_at) values ('acc', 'a@example.com', 'starter', now());
    insert into users (id, email, name, created_at) values ('usr', 'a@example.com', 'A', now())`);
});
afterAll(() => db.end());

/** Whether `owner_since` is set after a statement that does not name the column. */
async function change(text: string): Promise<boolean> {
  const { rows } = await db.query<{ owner_since: Date | null }>(`${text} returning owner_since`);
  return rows[0]?.owner_since !== null;
}

test("whatever code makes and unmakes owners, since when is kept", async () => {
  const person =
    "insert into people (id, account_id, email, role, invited_at) values ('per', 'acc', 'a', 'owner', now())";
  expect(await change(person)).toBe(false);
  expect(await change("update people set user_id = 'usr', joined_at = now() where id = 'per'")).toBe(true);
  expect(await change("update people set role = 'member' where id = 'per'")).toBe(false);
  expect(await change("update people set role = 'owner' where id = 'per'")).toBe(true);
  const { rows: before } = await db.query("select owner_since from people");
  expect(await change("update people set role = 'owner' where id = 'per'")).toBe(true);
  expect((await db.query("select owner_since from people")).rows).toEqual(before);
});
