import type { Schema } from "@gateway/platform/compose/schema";
import { createTestDatabase, insertAccount, insertWallet, patience } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase, UnsafeIntegerError } from "../src/index.ts";

const largest = Number.MAX_SAFE_INTEGER;
let db: Database<Schema>;

beforeAll(async () => {
  db = openDatabase<Schema>({ url: (await createTestDatabase()).url, ...patience });
});

afterAll(() => db.close());

async function select(expression: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${sql.raw(expression)} as value`.execute(db.kysely);
  return rows[0]?.value;
}

describe("out of the database", () => {
  test.each([
    ["9007199254740991::bigint", largest],
    ["-9007199254740991::bigint", -largest],
    ["count(*)", 1],
    ["array[1, 9007199254740991]::bigint[]", [1, largest]],
    ["null::bigint", null],
  ])("%s arrives as a number", async (expression, expected) => {
    expect(await select(expression)).toEqual(expected);
  });

  test.each(["9007199254740992::bigint", "-9007199254740992::bigint", "array[9007199254740993]::bigint[]"])(
    "%s is refused, not rounded, and the connection goes on",
    async (expression) => {
      await expect(select(expression)).rejects.toThrow(UnsafeIntegerError);
      expect(await select("1")).toBe(1);
    },
  );
});

describe("into the database", () => {
  test.each([2 ** 53, -(2 ** 53), 1e300, 2n ** 53n])("%s is refused before it is sent", async (value) => {
    await expect(sql`select ${value}::numeric`.execute(db.kysely)).rejects.toThrow(UnsafeIntegerError);
  });

  test("2^53 - 1 is stored exactly, and one more by SQL violates the check, so no sum can grow past it", async () => {
    const id = await insertWallet(db.kysely, await insertAccount(db.kysely), largest);

    const more = db.kysely
      .updateTable("wallets")
      .set({ available: sql<number>`available + 1` })
      .where("id", "=", id);

    await expect(more.execute()).rejects.toMatchObject({ code: "23514" });
    const row = await db.kysely.selectFrom("wallets").select("available").where("id", "=", id).executeTakeFirst();
    expect(row).toEqual({ available: largest });
  });

  test("a balance below zero violates the check", async () => {
    await expect(insertWallet(db.kysely, await insertAccount(db.kysely), -1)).rejects.toMatchObject({ code: "23514" });
  });
});
