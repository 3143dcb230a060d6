import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { addDigests } from "../scripts/add-digests.ts";
import { digestMigrations } from "../scripts/digest-migrations.ts";
import { migrations } from "../src/index.ts";
import { runStatements } from "../src/statements.ts";
import { digests, isReleased } from "./released.ts";

const advice = isReleased
  ? "A released migration has run in databases that are not created again: put it back, and write a new one."
  : "0.2.0 is not released yet, so the baseline may change: remove its line from released.ts, then npm run generate.";

test(`each migration says to Postgres what it said when its digest was written. ${advice}`, async () => {
  expect(await digestMigrations(migrations)).toEqual(digests);
});

test("the list is append-only: what has a digest stands first, in the same order", () => {
  expect(Object.keys(migrations).slice(0, Object.keys(digests).length)).toEqual(Object.keys(digests));
  expect(Object.keys(migrations)).toEqual(Object.keys(migrations).toSorted());
});

describe("a digest", () => {
  const digest = async (statement: string): Promise<string | undefined> =>
    (await digestMigrations({ one: runStatements([statement]) }))["one"];
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

describe("npm run generate", () => {
  const released = readFileSync(new URL("released.ts", import.meta.url), "utf8");

  test("adds the digest of a new migration at the end", () => {
    expect(addDigests(released, { ...digests, "9999_shops": "0123456789abcdef" })).toBe(
      released.replace(/(?=^\};$)/m, '  "9999_shops": "0123456789abcdef",\n'),
    );
  });

  test("keeps the digest of a migration that was changed, renamed or removed", () => {
    const changed = Object.fromEntries(Object.keys(digests).map((name) => [name, "0123456789abcdef"]));
    expect(addDigests(released, changed)).toBe(released);
    expect(addDigests(released, {})).toBe(released);
  });

  test("writes the digest again whose line was removed", () => {
    expect(addDigests(released.replace(/^ {2}"0009_ledger".*\n/m, ""), digests)).toBe(released);
  });
});
