import type { Schema } from "@gateway/platform/compose/schema";
import { migrations } from "@gateway/schema";
import { runStatement, startOwnPostgres, waitFor, type OwnPostgres } from "@gateway/testkit";
import { sql } from "kysely";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findPooler, migrate, openDatabase, type Database } from "../src/index.ts";

let standby: OwnPostgres;
let primary: OwnPostgres;

beforeAll(async () => {
  [standby, primary] = await Promise.all([startOwnPostgres(), startOwnPostgres()]);
  // Two clusters stand for one: the user and its password are made alike.
  await Promise.all(
    [standby, primary].map(({ url }) => runStatement(url, "create role either superuser login password 'secret'")),
  );
  await standby.stop();
  await writeFile(join(standby.dataDir, "postgres/standby.signal"), "");
  await standby.start();
});

afterAll(() => Promise.all([standby.end(), primary.end()]));

const hostOf = ({ url }: OwnPostgres): string => new URL(url).host;
const urlOf = (session: string, ...servers: OwnPostgres[]): string =>
  `postgres://either:secret@${servers.map(hostOf).join(",")}/gateway?target_session_attrs=${session}`;

function open(url: string): Database<Schema> {
  const database = openDatabase<Schema>({ url, queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 });
  onTestFinished(() => database.close());
  return database;
}

async function portOf({ kysely }: Database<Schema>): Promise<string> {
  const { rows } = await sql<{ port: string }>`select current_setting('port') as port`.execute(kysely);
  return rows[0]?.port ?? "";
}

describe("with several hosts", () => {
  test.each(["read-write", "primary"])("%s passes a standby by, for every kind of connection", async (session) => {
    const url = urlOf(session, standby, primary);
    const { port } = new URL(primary.url);
    const database = open(url);
    expect(await portOf(database)).toBe(port);
    expect(await database.administer((connection) => sql`show port`.execute(connection))).toMatchObject({
      rows: [{ port }],
    });
    expect(await findPooler(url)).toBe(null);
    await migrate(url, migrations);
    const heard: string[] = [];
    const listener = database.listen("news", { onNotification: (payload) => heard.push(payload) });
    onTestFinished(() => listener.close());
    await waitFor(() => listener.isHealthy());
    await sql`select pg_notify('news', 'hello')`.execute(database.kysely);
    await waitFor(() => heard.includes("hello"));
  });

  test("any takes the first that answers", async () => {
    expect(await portOf(open(urlOf("any", standby, primary)))).toBe(new URL(standby.url).port);
  });

  test("a standby alone is told as what it is", async () => {
    await expect(open(urlOf("primary", standby)).ping()).rejects.toThrow(
      `127.0.0.1:${new URL(standby.url).port} is not primary, which target_session_attrs asks for.`,
    );
  });

  test("after a failover the same database is written on the other host", async () => {
    const database = open(urlOf("read-write", standby, primary));
    expect(await portOf(database)).toBe(new URL(primary.url).port);
    await primary.stop();
    await runStatement(standby.url, "select pg_promote()");
    await waitFor(async () => (await portOf(database)) === new URL(standby.url).port);
    await database.tryWrite();
    expect(await portOf(database)).toBe(new URL(standby.url).port);
    await primary.start();
  });
});
