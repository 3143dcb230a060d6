import type { PlatformDatabase } from "@gateway/platform/compose/schema";

/**
 * Every row of every table as text, a line each, to search for text that must not be stored. `digestDatabase` shows
 * whether anything changed.
 */
export async function dumpDatabase({ kysely }: PlatformDatabase): Promise<string> {
  const lines: string[] = [];
  for (const name of await tableNames(kysely)) {
    // The name belongs to an existing table. Its type does not matter, because the rows are only printed.
    const rows = await kysely
      .selectFrom(name as "wallets")
      .selectAll()
      .execute();
    lines.push(...rows.map((row) => `${name} ${textOf(row)}`));
  }
  return lines.join("\n");
}

/** Whether a dump holds a string, in the clear or in an encoding that anyone can undo. */
export function holdsText(dump: string, text: string): boolean {
  const bytes = Buffer.from(text);
  return [text, bytes.toString("hex"), bytes.toString("base64").slice(0, -4), encodeURIComponent(text)].some((form) =>
    dump.includes(form),
  );
}

async function tableNames(kysely: PlatformDatabase["kysely"]): Promise<string[]> {
  // Postgres' own view, which our schema does not list.
  const catalogue = kysely.withTables<{ pg_tables: { schemaname: string; tablename: string } }>();
  const rows = await catalogue.selectFrom("pg_tables").select("tablename").where("schemaname", "=", "public").execute();
  return rows.map(({ tablename }) => tablename);
}

function textOf(row: Record<string, unknown>): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, Buffer.isBuffer(value) ? value.toString("hex") : value]),
    ),
  );
}
