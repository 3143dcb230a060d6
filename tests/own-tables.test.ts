import { expect, describe, test } from "vitest";
import { ownersOfTables } from "./support/service-tables.ts";
import { readSourceFiles, type SourceFile } from "./support/source-files.ts";

/** `packages/platform/src/ledger/wallet.ts` */
const ofService = /^packages\/platform\/src\/(?<service>[\w-]+)\/(?<file>[\w-]+)\.ts$/;

/**
 * SQL that names a table. Kysely's own methods are typed with the tables of their service, so only text can bypass
 * them.
 */
const naming = /\b(?:from|join|into|update|table|truncate|only)\s+"?(?<table>[a-z_]+)"?/gi;

const files = readSourceFiles().filter(({ path }) => {
  const service = ofService.exec(path)?.groups?.["service"];
  return service !== undefined;
});

function findForeignTables({ path, text }: SourceFile): string[] {
  const service = ofService.exec(path)?.groups?.["service"];
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  return Array.from(code.matchAll(naming), ({ groups }) => groups?.["table"] ?? "").filter((table) => {
    const owner = ownersOfTables.get(table);
    return owner !== undefined && owner !== service;
  });
}

test("the tables are found, each with one owner", () => {
  expect(Object.fromEntries(ownersOfTables)).toMatchObject({
    wallets: "ledger",
    approvals: "custody",
    work_items: "work",
  });
  expect(new Set(ownersOfTables.values()).size).toBeGreaterThanOrEqual(5);
});

test("a service names its own tables only, in raw SQL too, which escapes the types", () => {
  const foreign = files.map((file) => [file.path, findForeignTables(file)]).filter(([, tables]) => tables?.length);
  expect(foreign).toEqual([]);
});

describe("a foreign table is found in", () => {
  test.each([
    "sql`select email from accounts where id = ${id}`",
    "sql`\n  select 1\n  from wallets\n  join accounts on accounts.id = wallets.account_id\n`",
    "const text = `insert into deliveries (id) values ($1)`;",
    'sql`UPDATE "api_keys" set name = 1`',
  ])("%s", (text) => {
    expect(findForeignTables({ path: "packages/platform/src/ledger/a.ts", text })).toHaveLength(1);
  });
});
