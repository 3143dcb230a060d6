import { createDatabaseTestClock, createTestDatabase, moveDatabaseClock, setDatabaseTime } from "@gateway/testkit";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let url: string;
let client: pg.Client;

beforeEach(async () => {
  ({ url } = await createTestDatabase());
  client = new pg.Client({ connectionString: url });
  await client.connect();
});

afterEach(() => client.end());

async function read<Value>(text: string): Promise<Value> {
  const { rows } = await client.query<{ value: Value }>(text);
  return rows[0]?.value as Value;
}

test("time is Postgres' and moves on within a transaction", async () => {
  await client.query("begin");

  expect(await read("select gateway_now() = statement_timestamp() as value")).toBe(true);
  expect(await read("select gateway_now() > transaction_timestamp() as value")).toBe(true);
});

describe("a comparison with it is read from the index, in a generic plan too", () => {
  beforeEach(async () => {
    await client.query(`
      create table ticks as select timestamptz '2020-01-01' + n * interval '1 minute' as at from generate_series(1, 10000) n;
      create index ticks_at on ticks (at);
      analyze ticks;
    `);
  });

  const soon = "select from ticks where at > gateway_now() - $1 * interval '1 minute' order by at limit 5";

  async function conditionOf(mode: string): Promise<string | undefined> {
    await client.query(`set plan_cache_mode = force_${mode}_plan`);
    await client.query(`prepare soon (int) as ${soon}`);
    const { rows } = await client.query<Explained>("explain (format json) execute soon (5)");
    return rows[0]?.["QUERY PLAN"][0].Plan.Plans?.[0]?.["Index Cond"];
  }

  test.each(["generic", "custom"])("%s plan", async (mode) => {
    expect(await conditionOf(mode)).toContain("at > (statement_timestamp() - ");
  });

  test("what the planner cannot look into and may not trust is not: this test would notice", async () => {
    await client.query(`
      create or replace function gateway_now() returns timestamptz language plpgsql volatile
      as 'begin return statement_timestamp(); end'
    `);

    expect(await conditionOf("generic")).toBeUndefined();
  });
});

type Explained = { "QUERY PLAN": [{ Plan: { Plans?: { "Index Cond"?: string }[] } }] };

describe("a test moves the clock of its database, and statements that are prepared on other connections follow", () => {
  const aheadMs = async (name: string): Promise<number> => {
    const text = "select extract(epoch from gateway_now() - statement_timestamp()) * 1000 as ahead from deployment";
    const { rows } = await client.query<{ ahead: string }>({ name, text });
    return Number(rows[0]?.ahead);
  };

  beforeEach(() => client.query("insert into deployment (livemode) values (false)"));

  test.each(["auto", "force_generic_plan", "force_custom_plan"])("with plan_cache_mode %s", async (mode) => {
    await client.query(`set plan_cache_mode = ${mode}`);
    for (let count = 0; count < 6; count += 1) {
      expect(await aheadMs("ahead")).toBe(0);
    }

    await moveDatabaseClock(url, { offsetMs: 3_600_000 });
    expect(await aheadMs("ahead")).toBe(3_600_000);

    await moveDatabaseClock(url, { offsetMs: -3_600_000 });
    expect(await aheadMs("ahead")).toBe(-3_600_000);
  });

  test("one whose transaction is open, at the latest with the next", async () => {
    await client.query("begin");
    await aheadMs("ahead");
    await moveDatabaseClock(url, { offsetMs: 3_600_000 });
    await client.query("commit");

    expect(await aheadMs("ahead")).toBe(3_600_000);
  });

  test("and no other database's does", async () => {
    const other = await createTestDatabase();
    await moveDatabaseClock(other.url, { offsetMs: 3_600_000 });

    expect(await aheadMs("ahead")).toBe(0);
  });

  test("it can stand still, alone or with a clock of the test", async () => {
    await setDatabaseTime(url, Date.UTC(2030, 0, 1));
    expect(await read("select gateway_now() as value")).toEqual(new Date("2030-01-01T00:00:00.000Z"));

    const clock = await createDatabaseTestClock(url);
    const moving = clock.advance(1_500);
    expect(clock.now(), "behind what the database may say already").toBe(Date.UTC(2026, 0, 1) + 1_500);
    await moving;
    expect(await read("select gateway_now() as value")).toEqual(new Date("2026-01-01T00:00:01.500Z"));
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1) + 1_500);
  });
});
