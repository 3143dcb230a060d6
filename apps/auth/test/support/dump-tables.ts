import { sql } from "kysely";
import type { TestAuth } from "./test-auth.ts";

/** Every row of every table whose name is like that, a line each. */
export async function dumpTables({ database: { kysely } }: TestAuth, like = "%"): Promise<string> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename like ${like}
  `.execute(kysely);
  const dumps = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(kysely);
      return rows.map((row) => `${name} ${JSON.stringify(row, hexOfBytes)}`).join("\n");
    }),
  );
  return dumps.join("\n");
}

/** A secret as it is, and as it may be written down. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString("hex"), bytes.toString("base64").slice(0, -4), encodeURIComponent(secret)];
}

function hexOfBytes(_name: string, value: unknown): unknown {
  const isBytes = typeof value === "object" && value !== null && "type" in value && value.type === "Buffer";
  return isBytes && "data" in value ? Buffer.from(value.data as number[]).toString("hex") : value;
}
