import { migrate } from "@gateway/database";
import { createTestDatabase, waitFor } from "@gateway/testkit";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrations } from "../../src/migrations/index.ts";

let url: string;
let clients: pg.Client[];

const releaseBefore = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0024_created_by"));
const indexes = ["api_keys_by_maker", "oauth_applications_by_maker", "webhooks_by_maker"];

beforeEach(async () => {
  ({ url } = await createTestDatabase({ migrated: false }));
  clients = [new pg.Client(url), new pg.Client(url)];
  await Promise.all(clients.map((client) => client.connect()));
});
afterEach(() => Promise.all(clients.map((client) => client.end())));

const insertKey = (db: pg.Client | undefined, id: string): Promise<unknown> | undefined =>
  db?.query(
    `insert into api_keys (id, account_id, name, permission, secret_hash, hint, created_at, created_by)
     values ($1, 'acc', 'K', 'read', $2, 'h', now(), '{"id": "per"}')`,
    [id, Buffer.from(id)],
  );

async function validIndexes(db: pg.Client | undefined): Promise<string[]> {
  const valid = await db?.query<{ name: string }>(
    "select indexrelid::regclass::text as name from pg_index where indisvalid and indexrelid::regclass::text = any($1) order by 1",
    [indexes],
  );
  return valid?.rows.map(({ name }) => name) ?? [];
}

test("who makes keys while the indexes are built waits for nothing", async () => {
  const [slow, quick] = clients;
  await migrate(url, releaseBefore);
  await quick?.query("insert into accounts (id, email, tier, created_at) values ('acc', 'a@b.c', 'starter', now())");
  await slow?.query("begin");
  await insertKey(slow, "one");
  const migrated = migrate(url, migrations);
  await waitFor(async () => {
    const building = await quick?.query("select from pg_stat_progress_create_index where datname = current_database()");
    return (building?.rows.length ?? 0) > 0;
  });
  await quick?.query("set lock_timeout = 1000");
  await insertKey(quick, "two");
  await slow?.query("commit");
  await migrated;
  expect(await validIndexes(quick)).toEqual(indexes);
});

test("where the column comes in the same run, the indexes come with it", async () => {
  await migrate(url, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0018_audit_log")));
  await migrate(url, migrations);
  expect(await validIndexes(clients[0])).toEqual(indexes);
});
