import { migrate } from "@gateway/database";
import { createTestDatabase } from "@gateway/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrations } from "../../src/migrations/index.ts";

let db: pg.Client;

const releaseBefore = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0022_people_only"));

beforeAll(async () => {
  const { url } = await createTestDatabase({ migrated: false });
  await migrate(url, releaseBefore);
  db = new pg.Client(url);
  await db.connect();
  await db.query(`
    insert into accounts (id, email, tier, created_at) values ('acc', 'a@example.com', 'starter', now());
    insert into users (id, email, name, created_at) values ('usr', 'a@example.com', 'A', now())`);
  await migrate(url, migrations);
});
afterAll(() => db.end());

/** As the release before does it, which knows nothing of the column. */
async function change(text: string): Promise<boolean> {
  const { rows } = await db.query<{ owner_since: Date | null }>(`${text} returning owner_since`);
  return rows[0]?.owner_since !== null;
}

test("a process of the release before makes and unmakes owners, and since when is kept all the same", async () => {
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
