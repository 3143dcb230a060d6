import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { Migration } from "kysely/migration";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { migrations } from "../src/index.ts";
import { runStatements } from "../src/statements.ts";
import { digests, isReleased } from "./released.ts";

/** The statements that a migration sends to Postgres, without comments and however they are indented. */
async function readStatements(migration: Migration): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (one) => new PostgresIntrospector(one),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await migration.up(db);
  return statements.map((text) => text.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ").trim());
}

async function digestOf(migration: Migration): Promise<string> {
  const statements = await readStatements(migration);
  return createHash("sha256").update(statements.join("\n")).digest("hex").slice(0, 16);
}

const advice = isReleased
  ? "A released migration has run in databases that are not created again: put it back, and write a new one."
  : "0.2.0 is not released yet, so the baseline may change: write its new digest into released.ts.";

test(`each migration says to Postgres what it said when its digest was written. ${advice}`, async () => {
  const found = await Promise.all(
    Object.entries(migrations).map(async ([name, migration]) => [name, await digestOf(migration)] as const),
  );
  expect(Object.fromEntries(found)).toEqual(digests);
});

test("the list is append-only: what has a digest stands first, in the same order", () => {
  expect(Object.keys(migrations).slice(0, Object.keys(digests).length)).toEqual(Object.keys(digests));
  expect(Object.keys(migrations)).toEqual(Object.keys(migrations).toSorted());
});

describe("a digest", () => {
  const digest = (statement: string): Promise<string> => digestOf(runStatements([statement]));
  const table = "create table a (b int not null)";

  test.each([
    ["another type", "create table a (b bigint not null)"],
    ["a column that may be null", "create table a (b int)"],
    ["another name", "create table c (b int not null)"],
  ])("changes with %s", async (_, changed) => {
    expect(await digest(changed)).not.toBe(await digest(table));
  });

  test("stays with a comment and another indentation", async () => {
    expect(await digest("create table a (\n  -- What it is for.\n  b int not null)")).toBe(
      await digest("create table a ( b int not null)"),
    );
  });
});
