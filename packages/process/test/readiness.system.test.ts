import { type Database, openDatabase } from "@gateway/database";
import { runStatement, startOwnPostgres, waitFor, type OwnPostgres } from "@gateway/testkit";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDatabaseObstacle } from "../src/index.ts";

let postgres: OwnPostgres;
let database: Database<unknown>;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  database = openDatabase<unknown>({ url: postgres.url });
});
afterAll(async () => {
  await database.close();
  await postgres.end();
});

const ready = (): Promise<boolean> => waitFor(async () => (await findDatabaseObstacle(database)) === null);

test("a disk that takes no writes is in the way although the server answers", async () => {
  await ready();
  const folder = join(postgres.dataDir, "postgres/base/pgsql_tmp");
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o500);
  await database.ping();
  expect(await findDatabaseObstacle(database)).toBe("the database takes no writes");
  await chmod(folder, 0o777);
  await ready();
});

test("so is a database that was made read-only, and one that is gone", async () => {
  await runStatement(postgres.url, "alter database gateway set default_transaction_read_only = on");
  const other = openDatabase<unknown>({ url: postgres.url });
  expect(await findDatabaseObstacle(other)).toBe("the database takes no writes");
  await postgres.stop();
  expect(await findDatabaseObstacle(other)).toBe("the database does not answer");
  await other.close();
});
