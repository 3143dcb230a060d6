import { migrate } from "@gateway/database";
import { createTestDatabase } from "@gateway/testkit";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrations } from "../../src/migrations/index.ts";

let db: pg.Client;

const releaseBefore = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0011_grant_permission"));

/** As the release before does it. */
async function insertGrant(id: string, applicationId: string): Promise<void> {
  await db.query(
    "insert into grants (id, user_id, account_id, application_id, created_at) values ($1, 'usr', 'acc', $2, now())",
    [id, applicationId],
  );
}

beforeAll(async () => {
  const { url } = await createTestDatabase({ migrated: false });
  await migrate(url, releaseBefore);
  db = new pg.Client(url);
  await db.connect();
  await db.query(`
    insert into accounts (id, email, tier, created_at) values ('acc', 'a@example.com', 'starter', now());
    insert into users (id, email, name, created_at) values ('usr', 'a@example.com', 'A', now());
    insert into oauth_applications (id, account_id, name, redirect_uris, redirect_origins, scopes, created_at) values
      ('app_reader', 'acc', 'R', '{}', '{}', '{openid,read}', now()),
      ('app_openid', 'acc', 'O', '{}', '{}', '{openid,email}', now())`);
  await insertGrant("before", "app_reader");
  await insertGrant("openid", "app_openid");
  await migrate(url, migrations);
});
afterAll(() => db.end());

test("a grant of before keeps what its tokens' scopes say, and none where nothing was said of a permission", async () => {
  await insertGrant("meanwhile", "app_reader");
  const { rows } = await db.query("select id, permission from grants order by id");
  expect(rows).toEqual([
    { id: "before", permission: null },
    { id: "meanwhile", permission: null },
    { id: "openid", permission: "none" },
  ]);
});
