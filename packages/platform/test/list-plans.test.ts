import { openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec, createTypeId, systemClock } from "@gateway/kernel";
import { createTestDatabase } from "@gateway/testkit";
import { CompiledQuery, createQueryId, sql, type Kysely, type KyselyPlugin, type RootOperationNode } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createPlatform,
  type Page,
  type PageRequest,
  type Platform,
  type PlatformDatabase,
  type Schema,
} from "../src/index.ts";

const rowsOfOwner = 20_000;
const cursors = createCursorCodec(Buffer.alloc(32, "key"));
const deps = { clock: systemClock, cipher: createCipher([Buffer.alloc(32, "key")]), cursors, livemode: false };

type ListOf = (platform: Platform) => {
  list(input: { accountId: string } & PageRequest): Promise<Page<unknown>>;
};

/** One row of EXPLAIN (FORMAT JSON). */
type Plan = { "Node Type": string; "Index Name"?: string; Plans?: Plan[] };

describe("a page of a list", () => {
  let database: PlatformDatabase;
  let accountId: string;

  beforeAll(async () => {
    database = openDatabase<Schema>({ url: (await createTestDatabase()).url, queryTimeoutMs: 20_000 });
    const accounts = [createTypeId("acc"), createTypeId("acc"), createTypeId("acc")];
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

  const lists: { list: string; index: string; prefix: string; nounOf: ListOf; looksUp: string[] }[] = [
    {
      list: "wallets",
      index: "wallets_by_account",
      prefix: "wal",
      nounOf: ({ ledger }) => ledger.wallets,
      looksUp: [],
    },
    {
      list: "api-keys",
      index: "api_keys_by_account",
      prefix: "key",
      nounOf: ({ accounts }) => accounts.apiKeys,
      looksUp: [],
    },
    {
      list: "oauth-applications",
      index: "oauth_applications_by_account",
      prefix: "app",
      nounOf: ({ accounts }) => accounts.oauthApplications,
      looksUp: [],
    },
    {
      list: "people",
      index: "people_by_account",
      prefix: "per",
      nounOf: ({ accounts }) => accounts.people,
      looksUp: ["users_pkey"],
    },
  ];

  test.each(lists)(
    "of $list is read from its index, without a sort and without another scan, at the start and at depth",
    async ({ list, index, prefix, nounOf, looksUp }) => {
      for (const position of [null, idAt(prefix, rowsOfOwner - 1), idAt(prefix, rowsOfOwner / 2), idAt(prefix, 5)]) {
        const cursor = position === null ? undefined : cursors.encode(`${list} ${accountId}`, position);
        const plans = await plansOf(database, (db) =>
          nounOf(createPlatform({ ...database, kysely: db }, deps)).list({ accountId, limit: 20, cursor }),
        );
        for (const nodes of plans) {
          expect(nodes.map((node) => [node["Node Type"], node["Index Name"]])).toEqual([
            ["Limit", undefined],
            ["Index Scan", index],
            // The names of the people of the page, in a second query.
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

/** The plans of the queries that `work` makes: for their values, and the generic ones that prepared statements may get. */
async function plansOf(database: PlatformDatabase, work: (db: Kysely<Schema>) => Promise<unknown>): Promise<Plan[][]> {
  const nodes: RootOperationNode[] = [];
  const record: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(database.kysely.withPlugin(record));
  const explain = async (node: RootOperationNode, options: string): Promise<Plan[]> => {
    const query = database.kysely.getExecutor().compileQuery(node, createQueryId());
    const { rows } = await database.kysely.executeQuery<Explained>(
      CompiledQuery.raw(`explain (${options}) ${query.sql}`, [...query.parameters]),
    );
    return flatten(rows[0]?.["QUERY PLAN"][0]?.Plan);
  };
  const explainAll = async (options: string): Promise<Plan[]> =>
    (await Promise.all(nodes.map((node) => explain(node, options)))).flat();
  return [await explainAll("format json"), await explainAll("format json, generic_plan")];
}

type Explained = { "QUERY PLAN": { Plan: Plan }[] };

function flatten(plan: Plan | undefined): Plan[] {
  return plan ? [plan, ...(plan.Plans ?? []).flatMap(flatten)] : [];
}
