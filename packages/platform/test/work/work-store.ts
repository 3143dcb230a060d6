import { openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec } from "@gateway/kernel";
import { createDatabaseTestClock, createTestDatabase, type DatabaseTestClock, patience } from "@gateway/testkit";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { createPlatform, type Platform } from "../../src/compose/platform.ts";
import type { PlatformDatabase, Schema } from "../../src/compose/schema.ts";
import type { PlatformDeps } from "../../src/compose/services.ts";

export type WorkStore = {
  url: string;
  database: PlatformDatabase;
  /** The dependencies of the platform. */
  deps: PlatformDeps;
  platform: Platform;
  clock: DatabaseTestClock;
  /** Empties the tables for the next test. */
  empty(...others: string[]): Promise<void>;
};

/** A platform on a database of its own, whose time the test moves. */
export async function createWorkStore(options: Partial<PlatformDeps> = {}): Promise<WorkStore> {
  const { url } = await createTestDatabase();
  const clock = await createDatabaseTestClock(url);
  const database = openDatabase<Schema>({ url, maxConnections: 10, ...patience, applicationName: "test" });
  const cipher = createCipher([randomBytes(32)]);
  const cursors = createCursorCodec(cipher.deriveKey("cursors"));
  const deps: PlatformDeps = { clock, cipher, cursors, livemode: true, ...options };
  return {
    ...{ url, database, deps, platform: createPlatform(database, deps), clock },
    empty: async (...others) => {
      const tables = ["work_items", "inbox_facts", ...others].map((table) => sql.table(table));
      await sql`truncate ${sql.join(tables)}`.execute(database.kysely);
    },
  };
}
