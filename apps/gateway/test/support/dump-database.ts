import type { PlatformDatabase } from "@gateway/platform";

/**
 * Every row of every table as text, a line each, so that two dumps are equal when nothing changed. Without the times of last
 * use, which are written in the background.
 */
export async function dumpDatabase({ kysely }: PlatformDatabase): Promise<string> {
  const lines: string[] = [];
  for (const name of await tableNames(kysely)) {
    // The name is of a table that is there; which one does not matter, for the rows are only printed.
    const rows = await kysely
      .selectFrom(name as "wallets")
      .selectAll()
      .execute();
    lines.push(...rows.map((row) => `${name} ${textOf(row)}`));
  }
  return lines.toSorted().join("\n");
}

/** Whether a dump holds a text, in the clear or in an encoding that anybody can undo. */
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
  const cells = Object.entries(row).filter(([column]) => column !== "last_used_at");
  return JSON.stringify(
    Object.fromEntries(
      cells.map(([column, value]) => [column, Buffer.isBuffer(value) ? value.toString("hex") : value]),
    ),
  );
}
