import type { Schema } from "@gateway/platform/compose/schema";
import { createTestDatabase, patience } from "@gateway/testkit";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../src/index.ts";

let db: Database<Schema>;

beforeAll(async () => {
  db = openDatabase<Schema>({ url: (await createTestDatabase()).url, ...patience });
});

afterAll(() => db.close());

async function selectTimes(expression: string): Promise<unknown[]> {
  const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(db.kysely);
  return rows.map(({ value }) => value);
}

describe("a time out of the database", () => {
  test.each([
    ["2026-03-09 08:00:00Z", "2026-03-09T08:00:00.000Z"],
    ["2024-02-29 23:59:59.9Z", "2024-02-29T23:59:59.900Z"],
    ["2026-12-31 23:59:59.999999Z", "2026-12-31T23:59:59.999Z"],
    ["1969-07-20 20:17:40.001Z", "1969-07-20T20:17:40.001Z"],
    ["0099-01-01 00:00:00Z", "0099-01-01T00:00:00.000Z"],
    ["0100-01-01 00:00:00Z", "0100-01-01T00:00:00.000Z"],
    ["9999-12-31 23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    ["12026-03-09 08:00:00Z", "+012026-03-09T08:00:00.000Z"],
    ["0044-03-15 12:00:00Z BC", "-000043-03-15T12:00:00.000Z"],
  ])("%s", async (written, expected) => {
    expect(await selectTimes(`'${written}'::timestamptz`)).toEqual([new Date(expected)]);
  });

  test("each of the thousand milliseconds is the one that was stored", async () => {
    const times = await selectTimes(
      "generate_series('2026-03-09 08:00:00Z'::timestamptz, '2026-03-09 08:00:00.999Z', '1 millisecond')",
    );
    const first = Date.UTC(2026, 2, 9, 8);
    expect(times).toEqual(Array.from({ length: 1000 }, (_, millisecond) => new Date(first + millisecond)));
  });

  test("is the same in a session with another time zone", async () => {
    const time = await db.kysely.connection().execute(async (one) => {
      await sql`set time zone 'Asia/Kathmandu'`.execute(one);
      const { rows } = await sql<{ value: Date }>`select '2026-03-09 08:00:00.5Z'::timestamptz as value`.execute(one);
      await sql`reset time zone`.execute(one);
      return rows[0]?.value;
    });
    expect(time).toEqual(new Date("2026-03-09T08:00:00.500Z"));
  });

  test("that is infinite is so here too", async () => {
    expect(await selectTimes("'infinity'::timestamptz")).toEqual([pg.types.getTypeParser(1184)("infinity")]);
  });
});
