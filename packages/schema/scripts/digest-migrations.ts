import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import type { Migration } from "kysely/migration";
import { createHash } from "node:crypto";

/** A digest of the statements that each migration sends to Postgres, without comments and however they are indented. */
export async function digestMigrations(migrations: Record<string, Migration>): Promise<Record<string, string>> {
  const found = Object.entries(migrations).map(
    async ([name, migration]) => [name, digestOf(await readStatements(migration))] as const,
  );
  return Object.fromEntries(await Promise.all(found));
}

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

function digestOf(statements: readonly string[]): string {
  return createHash("sha256").update(statements.join("\n")).digest("hex").slice(0, 16);
}
