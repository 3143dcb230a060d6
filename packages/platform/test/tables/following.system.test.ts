import { migrate, openDatabase, type Database } from "@gateway/database";
import { createTypeId } from "@gateway/kernel";
import { createTestDatabase, waitFor, patience } from "@gateway/testkit";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { raiseGatewayEpoch } from "../../src/gateway-epoch.ts";
import { migrations } from "../../src/migrations/index.ts";
import { migrationsBefore } from "./support/release-before.ts";

const accountId = createTypeId("acc");
const before37 = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0037"));

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

type Row = { id: string; epoch: number; tx: string; request_id: string | null };

async function inOrder(db: Database<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, epoch, tx, request_id from events order by account_id collate "POSIX", epoch, tx, id
  `.execute(db.kysely);
  return rows;
}

const insertAccount = sql`insert into accounts (id, email, tier, created_at) values (${accountId}, 'a@b.c', 'growth', now())`;

describe.each([
  ["with partitions", before37],
  ["of before there were partitions", migrationsBefore],
])("a database %s", (_, before) => {
  test("keeps its files, and what it has comes first, in the order of its ids", async () => {
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
    const rows = await inOrder(db);
    expect(rows.map(({ id }) => id)).toEqual([...old, ...fresh]);
    expect(new Set(rows.map(({ tx }) => tx)).size).toBe(3);
    expect(rows.every((row) => row.epoch === 1 && row.request_id === null)).toBe(true);
    const { rows: loose } = await sql`
      select relname from pg_class join pg_index on indexrelid = pg_class.oid
      where relname ~ 'in_commit_order|of_request|epoch_tx|request_id' and (not indisvalid or (relkind = 'i' and not relispartition))
    `.execute(db.kysely);
    expect(loose).toEqual([]);
  });
});

describe("the epoch", () => {
  const pretendMove = sql`update gateway_epoch set server = 'another'`;

  test("stays on the same server, and rises once on another, whoever starts there", async () => {
    const { url } = await createTestDatabase();
    const db = await open(url);
    expect(await Promise.all([raiseGatewayEpoch(db.kysely), raiseGatewayEpoch(db.kysely)])).toEqual([false, false]);
    await insertOld(db);
    await pretendMove.execute(db.kysely);

    const raised = await Promise.all([1, 2, 3].map(() => raiseGatewayEpoch(db.kysely)));

    expect(raised.filter(Boolean)).toHaveLength(1);
    await insertOld(db);
    const [first, second] = (await inOrder(db)).map(({ epoch }) => epoch);
    expect(first).toBe(1);
    // Unlike that of another server which goes on from the same backup.
    expect(second).toBeGreaterThan(20_000_000);
  });

  test("waits for who is writing, and who waits for it, with a plan of before, writes in the new one", async () => {
    const { url } = await createTestDatabase();
    const db = await open(url);
    const writers = await Promise.all(
      [1, 2].map(async () => {
        const client = new pg.Client(url);
        await client.connect();
        onTestFinished(() => client.end());
        return client;
      }),
    );
    const insert = (client: pg.Client | undefined) =>
      client?.query({
        name: "insert",
        text: "insert into events (id, account_id, type, body, created_at) values ($1, $2, 'wallet.created', '{}', now())",
        values: [createTypeId("evt"), accountId],
      });
    const [first, second] = writers;
    for (let times = 0; times < 8; times += 1) {
      await insert(second);
    }
    await first?.query("begin");
    await insert(first);
    await pretendMove.execute(db.kysely);
    const raising = raiseGatewayEpoch(db.kysely);
    const waiting = (): Promise<number> =>
      sql`select from pg_locks where relation = 'events'::regclass and not granted`
        .execute(db.kysely)
        .then(({ rows }) => rows.length);
    await waitFor(async () => (await waiting()) === 1);
    const written = insert(second);
    await waitFor(async () => (await waiting()) === 2);
    await first?.query("commit");

    expect(await raising).toBe(true);
    await written;
    expect((await inOrder(db)).map(({ epoch }) => epoch)).toEqual([...Array<number>(9).fill(1), expect.any(Number)]);
    expect((await inOrder(db)).at(-1)?.epoch).toBeGreaterThan(1);
  });
});
