import { openDatabase, type Database, type Schema } from "@gateway/database";
import { createCursorCodec, createId, systemClock } from "@gateway/kernel";
import { createTestDatabase } from "@gateway/testkit";
import { CompiledQuery, createQueryId, sql, type Kysely, type KyselyPlugin, type RootOperationNode } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApiKeys, createOauthApplications, createPeople, createWallets } from "../src/index.ts";

const rowsOfOwner = 20_000;
const cursors = createCursorCodec(Buffer.alloc(32, "key"));
const deps = { clock: systemClock, cursors, livemode: false };

/** One row of EXPLAIN (FORMAT JSON). */
type Plan = { "Node Type": string; "Index Name"?: string; Plans?: Plan[] };

describe("a page of a list", () => {
  let database: Database;
  let accountId: string;

  beforeAll(async () => {
    database = openDatabase({ url: (await createTestDatabase()).url, queryTimeoutMs: 20_000 });
    const accounts = [createId("acc"), createId("acc"), createId("acc")];
    accountId = accounts[1] ?? "";
    for (const id of accounts) {
      await database.kysely
        .insertInto("accounts")
        .values({ id, email: `${id}@example.com`, tier: "growth", created_at: new Date() })
        .execute();
      await insertMany(database.kysely, id);
    }
    await sql`analyze`.execute(database.kysely);
  });
  afterAll(() => database.close());

  const lists = [
    { list: "wallets", index: "wallets_by_account", prefix: "wal", create: createWallets, looksUp: [] },
    { list: "api-keys", index: "api_keys_by_account", prefix: "key", create: createApiKeys, looksUp: [] },
    {
      list: "oauth-applications",
      index: "oauth_applications_by_account",
      prefix: "app",
      create: createOauthApplications,
      looksUp: [],
    },
    { list: "people", index: "people_by_account", prefix: "per", create: createPeople, looksUp: ["users_pkey"] },
  ];

  test.each(lists)(
    "of $list is read from its index, without a sort and without another scan, at the start and at depth",
    async ({ list, index, prefix, create, looksUp }) => {
      for (const position of [null, idAt(prefix, rowsOfOwner - 1), idAt(prefix, rowsOfOwner / 2), idAt(prefix, 5)]) {
        const cursor = position === null ? undefined : cursors.encode(`${list} ${accountId}`, position);
        const plans = await plansOf(database, (db) => create(db, deps).list({ accountId, limit: 20, cursor }));
        for (const nodes of plans) {
          expect(nodes.map((node) => [node["Node Type"], node["Index Name"]])).toEqual([
            ["Limit", undefined],
            ["Index Scan", index],
            // One row for each row of the page.
            ...looksUp.map((key) => ["Index Scan", key]),
          ]);
        }
      }
    },
  );
});

/** 20,000 rows of each list for one account. */
async function insertMany(db: Kysely<Schema>, accountId: string): Promise<void> {
  const number = sql.raw("lpad(n::text, 26, '0')");
  const salt = accountId.slice(-6);
  await sql`insert into wallets (id, account_id, name, currency, available, pending, metadata, created_at)
    select 'wal_' || ${number} || ${salt}, ${accountId}, 'W', 'EUR', 0, 0, '{}', now() from generate_series(1, ${sql.lit(rowsOfOwner)}) n`.execute(
    db,
  );
  await sql`insert into api_keys (id, account_id, name, permission, secret_hash, hint, created_at)
    select 'key_' || ${number} || ${salt}, ${accountId}, 'K', 'read', sha256(('x' || n || ${salt})::bytea), 'h', now()
    from generate_series(1, ${sql.lit(rowsOfOwner)}) n`.execute(db);
  await sql`insert into oauth_applications (id, account_id, name, redirect_uris, redirect_origins, scopes, created_at)
    select 'app_' || ${number} || ${salt}, ${accountId}, 'A', '{https://a.example/}', '{https://a.example}', '{read}', now()
    from generate_series(1, ${sql.lit(rowsOfOwner)}) n`.execute(db);
  await sql`insert into users (id, email, name, created_at)
    select 'usr_' || ${number} || ${salt}, n || ${salt} || '@example.com', 'U', now() from generate_series(1, ${sql.lit(rowsOfOwner)}) n`.execute(
    db,
  );
  await sql`insert into people (id, account_id, user_id, email, role, invited_at, joined_at)
    select 'per_' || ${number} || ${salt}, ${accountId}, 'usr_' || ${number} || ${salt}, n || '@example.com', 'viewer', now(), now()
    from generate_series(1, ${sql.lit(rowsOfOwner)}) n`.execute(db);
}

function idAt(prefix: string, position: number): string {
  return `${prefix}_${String(position).padStart(26, "0")}`;
}

/** The plans of the one query that `work` makes: for its values, and the generic one that a prepared statement may get. */
async function plansOf(database: Database, work: (db: Kysely<Schema>) => Promise<unknown>): Promise<Plan[][]> {
  const nodes: RootOperationNode[] = [];
  const record: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(database.kysely.withPlugin(record));
  const [node, ...others] = nodes;
  if (!node || others.length > 0) {
    throw new Error(`A page takes ${nodes.length} queries instead of one.`);
  }
  const query = database.kysely.getExecutor().compileQuery(node, createQueryId());
  const explain = async (options: string): Promise<Plan[]> => {
    const { rows } = await database.kysely.executeQuery<Explained>(
      CompiledQuery.raw(`explain (${options}) ${query.sql}`, [...query.parameters]),
    );
    return flatten(rows[0]?.["QUERY PLAN"][0]?.Plan);
  };
  return [await explain("format json"), await explain("format json, generic_plan")];
}

type Explained = { "QUERY PLAN": { Plan: Plan }[] };

function flatten(plan: Plan | undefined): Plan[] {
  return plan ? [plan, ...(plan.Plans ?? []).flatMap(flatten)] : [];
}
