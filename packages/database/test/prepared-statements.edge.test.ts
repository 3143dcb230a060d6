import type { Schema } from "@gateway/platform/compose/schema";
import { createTestDatabase, insertAccount, patience } from "@gateway/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase, transaction } from "../src/index.ts";
import { createStatementNames } from "../src/statement-names.ts";

let db: Database<Schema>;

beforeEach(async () => {
  db = openDatabase<Schema>({ url: (await createTestDatabase()).url, maxConnections: 1, ...patience });
});

afterEach(() => db.close());

test("a statement is prepared once per connection and used again", async () => {
  const count = (): Promise<unknown> =>
    db.kysely.selectFrom("accounts").select("id").where("email", "=", "x").execute();
  await count();
  await count();

  const { rows } = await sql`select generic_plans + custom_plans as uses from pg_prepared_statements
    where statement = 'select "id" from "accounts" where "email" = $1'`.execute(db.kysely);
  expect(rows).toEqual([{ uses: 2 }]);
});

test("in a transaction a statement has one plan for all callers, and elsewhere the plan that the server takes", async () => {
  const setting = sql<{ plan_cache_mode: string }>`show plan_cache_mode`;
  const within = await transaction(db.kysely, (trx) => setting.execute(trx));
  const after = await setting.execute(db.kysely);
  expect([within.rows, after.rows].flat().map((row) => row.plan_cache_mode)).toEqual(["force_generic_plan", "auto"]);
});

test("at most 500 statements get a name, so text that varies does not fill the server's memory", () => {
  const nameOf = createStatementNames();
  const names = Array.from({ length: 600 }, (_, index) => nameOf(`select ${index}`));

  expect(new Set(names.filter((name) => name !== undefined)).size).toBe(500);
  expect(nameOf("select 0")).toBe(names[0]);
  expect(names[599]).toBeUndefined();
});

test("a query whose columns a migration has changed under it still answers", async () => {
  await insertAccount(db.kysely);
  const all = (): Promise<object[]> => db.kysely.selectFrom("accounts").selectAll().execute();
  await all();
  await sql`alter table accounts add column added integer`.execute(db.kysely);

  expect(await all()).toEqual([expect.objectContaining({ added: null })]);
  expect(await all()).toHaveLength(1);
});
