import { expect, test } from "vitest";
import { databaseConfigOf, databaseSettings } from "../src/index.ts";

const { DATABASE_POOL, DATABASE_DIRECT_URL } = databaseSettings("10");

test.each([
  [undefined, null],
  ["2", 2],
  ["500", 500],
])("DATABASE_POOL=%s is taken", (text, databasePool) => {
  const values = { DATABASE_POOL: DATABASE_POOL.read(text), DATABASE_DIRECT_URL: DATABASE_DIRECT_URL.read(undefined) };
  expect(databaseConfigOf(values)).toEqual({ databasePool, directUrl: null });
});

test.each(["1", "501", "0", "-2", "many", "2.5"])("DATABASE_POOL=%s is refused", (text) => {
  expect(() => DATABASE_POOL.read(text)).toThrow("must be a whole number from 2 to 500");
});

test("DATABASE_DIRECT_URL is of Postgres", () => {
  expect(() => DATABASE_DIRECT_URL.read("mysql://u:p@h/d")).toThrow("postgres:// or postgresql://");
});
