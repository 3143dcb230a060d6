/**
 * A process that owns a data folder, for tests that kill it. Prints `ready <json>` when the server answers, then writes
 * numbered rows and prints `row <n>` after each commit that was acknowledged. SIGTERM stops it in order, SIGINT is
 * ignored.
 */
import { patience } from "@gateway/testkit";
import type { Schema } from "@gateway/platform/compose/schema";
import { sql } from "kysely";
import { openDatabase, startEmbeddedPostgres } from "../../src/index.ts";

const dataDir = process.argv[2] ?? "";

try {
  const server = await startEmbeddedPostgres({ dataDir });
  const { url, adopted } = server;
  const db = openDatabase<Schema>({ url, ...patience });
  await sql`create table if not exists acknowledged (n integer primary key)`.execute(db.kysely);
  let isStopping = false;
  process.once("SIGTERM", () => (isStopping = true));
  process.on("SIGINT", () => {});
  // The reader may send a signal at once.
  console.log(`ready ${JSON.stringify({ url, adopted })}`);
  for (let n = await nextNumber(); !isStopping; n += 1) {
    await sql`insert into acknowledged values (${n})`.execute(db.kysely);
    console.log(`row ${n}`);
  }
  await db.close();
  await server.stop();

  async function nextNumber(): Promise<number> {
    const { rows } = await sql<{ n: number }>`select coalesce(max(n), 0) + 1 as n from acknowledged`.execute(db.kysely);
    return rows[0]?.n ?? 1;
  }
} catch (error) {
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
  process.exitCode = 1;
}
