import { createTestDatabase } from "@gateway/testkit";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../../..");
const text = globSync("packages/{platform,engine}/src/*/{,*-}tables.ts", { cwd: root })
  .map((path) => readFileSync(join(root, path), "utf8"))
  .join("\n");

/** The members of a type at its first level, with their types. */
function membersOf(type: string): [name: string, type: string][] {
  const [, body = ""] = new RegExp(`^(?:export )?type ${type} = \\{\\n([^]*?)^\\}`, "m").exec(text) ?? [];
  const members = body.split(/^(?= {2}\w+: )/m).map((part) => /^ {2}(\w+): ([^]*?);\n/.exec(part));
  return members.flatMap((found) => (found ? [[found[1] ?? "", found[2] ?? ""] as [string, string]] : []));
}

/** `wallets.name`, and `wallets.external_id?` for a column that may be null. */
function columnsOfTypes(): string[] {
  const tables = Array.from(text.matchAll(/^export type (\w+Tables) = \{/gm), ([, type = ""]) =>
    membersOf(type),
  ).flat();
  return tables.flatMap(([table, type]) =>
    membersOf(type).map(([column, of]) => `${table}.${column}${mayBeNull.test(of) ? "?" : ""}`),
  );
}

/** Columns that the database derives. Postgres lets them be null, and their types need not say so. */
const derived = new Set(Array.from(text.matchAll(/^ {2}(\w+): Derived</gm), ([, column = ""]) => column));
const mayBeNull = /\| null|^(?:NullableColumn|CreatedBy)\b/;

function withoutMark(name: string): string {
  return derived.has(name.replaceAll(/^\w+\.|\?$/g, "")) ? name.replace("?", "") : name;
}

async function namesOf(query: string): Promise<string[]> {
  const client = new pg.Client((await createTestDatabase()).url);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(query);
  await client.end();
  return rows.map(({ name }) => name);
}

function columnsOfDatabase(): Promise<string[]> {
  return namesOf(`
    select table_name || '.' || column_name || case is_nullable when 'YES' then '?' else '' end as name
    from information_schema.columns
    -- Their type is a template: \`took_\${number}\`.
    where table_schema = 'public' and column_name !~ '^took_\\d+$'`);
}

test("the types of the tables have the columns of the migrations, which may be null where they say so", async () => {
  const typed = columnsOfTypes().map(withoutMark);
  const tables = new Set(typed.map((name) => name.split(".")[0]));
  const all = (await columnsOfDatabase()).map(withoutMark);
  const migrated = all.filter((name) => tables.has(name.split(".")[0]));
  expect(tables.size).toBeGreaterThan(40);
  expect({
    missingInMigrations: typed.filter((name) => !migrated.includes(name)),
    missingInTypes: migrated.filter((name) => !typed.includes(name)),
  }).toEqual({ missingInMigrations: [], missingInTypes: [] });
});

test("the values of a ledger transaction's kind and cause are the document's, and not those of a migration", async () => {
  const checks = await namesOf(`
    select pg_get_constraintdef(oid) as name from pg_constraint
    where conrelid = 'ledger_transactions'::regclass and contype = 'c'`);
  expect(checks.filter((check) => /\b(?:kind|cause_type)\b.*\bANY\b/.test(check))).toEqual([]);
});
