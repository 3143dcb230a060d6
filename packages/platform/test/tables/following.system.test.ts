import { migrate, openDatabase, type Database } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase, patience } from "@gateway/testkit";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrations } from "../../src/migrations/index.ts";
import { migrationsBefore } from "./support/release-before.ts";

const accountId = createTypeId("acc");
const migrationsUntil = (next: string) =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => name < next));

async function open(url: string): Promise<Database<unknown>> {
  const database = openDatabase<unknown>({ url, ...patience });
  onTestFinished(() => database.close());
  return database;
}

/** As a release says it that knows nothing of following. */
async function insertOld(db: Database<unknown>): Promise<string> {
  const id = createTypeId("evt");
  await sql`insert into events (id, account_id, type, body, created_at) values (${id}, ${accountId}, 'wallet.created', '{}', now())`.execute(
    db.kysely,
  );
  return id;
}

const insertAccount = sql`insert into accounts (id, email, tier, created_at) values (${accountId}, 'a@b.c', 'growth', now())`;

describe.each([
  ["of before events were followed", migrationsUntil("0037")],
  ["whose events are followed by their transactions", migrationsUntil("0049")],
  ["of before there were partitions", migrationsBefore],
])("a database %s", (_, before) => {
  test("keeps its files, and nothing in it has a number before somebody follows", async () => {
    const { url } = await createTestDatabase({ migrated: false });
    await migrate(url, before);
    const db = await open(url);
    await insertAccount.execute(db.kysely);
    const old = [await insertOld(db), await insertOld(db)];
    const readFiles = async (): Promise<unknown> => {
      const { rows } = await sql`
        select pg_relation_filenode(oid) as file from pg_class where relname ~ '^events(_until_\\d+)?$' and relkind = 'r'
      `.execute(db.kysely);
      return rows;
    };
    const files = await readFiles();

    await Promise.all([migrate(url, migrations), migrate(url, migrations)]);

    expect(await readFiles()).toEqual(files);
    const fresh = [await insertOld(db), await insertOld(db)];
    const { rows } = await sql`select id, request_id, follow_epoch, follow_number from events order by id`.execute(
      db.kysely,
    );
    const plain = { request_id: null, follow_epoch: null, follow_number: null };
    expect(rows).toEqual([...old, ...fresh].map((id) => ({ id, ...plain })));
    const { rows: loose } = await sql`
      select relname from pg_class join pg_index on indexrelid = pg_class.oid
      where relname ~ 'in_commit_order|followed|of_request|epoch_tx|request_id' and (not indisvalid or (relkind = 'i' and not relispartition))
    `.execute(db.kysely);
    expect(loose).toEqual([]);
  });
});
