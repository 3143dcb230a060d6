import { isUnavailable, openDatabase } from "@gateway/database";
import { ConfigurationError } from "@gateway/kernel";
import { createTestDatabase, patience, runStatement } from "@gateway/testkit";
import { sql } from "kysely";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPlatformDatabase } from "../src/compose/open-platform-database.ts";
import type { Schema } from "../src/compose/schema.ts";

type SlowWay = {
  port: number;
  /** The first connection of that name sends a query. */
  asked: Promise<void>;
  /** Lets the responses of Postgres through from now on. */
  open(): void;
};

/** Opens a proxy to Postgres. Until `open`, connections of that name get no responses. */
async function startSlowWay(port: number, { name }: { name: string }): Promise<SlowWay> {
  const sockets = new Set<Socket>();
  const asked = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    let isHeld = false;
    near.once("data", (bytes: Buffer) => {
      isHeld = bytes.includes(name);
      if (isHeld) {
        asked.resolve();
      }
    });
    near.pipe(far);
    far.once("data", (bytes: Buffer) => {
      far.pause();
      void Promise.resolve(isHeld && opened.promise).then(() => {
        near.write(bytes);
        far.pipe(near);
      });
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
  return {
    // A listening TCP server has an address of this kind.
    port: (server.address() as AddressInfo).port,
    asked: asked.promise,
    open: () => opened.resolve(),
  };
}

test("a start waits longer for its first connection than a request does", async () => {
  const { url } = await createTestDatabase();
  const slow = new URL(url);
  const way = await startSlowWay(Number(slow.port), { name: "slow-start" });
  slow.port = String(way.port);
  const request = openDatabase<Schema>({ url: slow.href, applicationName: "slow-start" });
  onTestFinished(() => request.close());
  const starting = openPlatformDatabase({
    url: slow.href,
    livemode: false,
    encryptionKeys: [randomBytes(32)],
    applicationName: "slow-start",
  });
  await way.asked;
  await expect(request.ping()).rejects.toSatisfy(isUnavailable);
  way.open();

  const database = await starting;
  onTestFinished(() => database.close());
  const { rows } = await sql`select 1 as one`.execute(database.kysely);
  expect(rows).toEqual([{ one: 1 }]);
});

test("until a program serves, its queries have the limits of a start; then those of a request, apart too", async () => {
  const { url } = await createTestDatabase();
  const database = await openPlatformDatabase({ url, livemode: false, encryptionKeys: [randomBytes(32)] });
  const apart = database.openApart({ applicationName: "apart", maxConnections: 1, queryTimeoutMs: 5_000 });
  onTestFinished(async () => {
    await Promise.all([apart.close(), database.close()]);
  });
  const limits = async (): Promise<unknown[]> => {
    const ask = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`;
    const answers = await Promise.all([ask.execute(database.kysely), ask.execute(apart.kysely)]);
    return answers.map(({ rows }) => rows[0]?.limit);
  };

  expect(await limits()).toEqual(["59900ms", "59900ms"]);
  database.serve();
  expect(await limits()).toEqual(["1400ms", "4900ms"]);
});

describe("a database of a version before 0.2.0", () => {
  const open = async (url: string): Promise<void> => {
    const database = await openPlatformDatabase({ url, livemode: false, encryptionKeys: null });
    await database.close();
  };
  const readTables = async (url: string): Promise<string[]> => {
    const database = openDatabase<Schema>({ url, ...patience });
    const { rows } = await sql<{ name: string }>`
      select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    `.execute(database.kysely);
    await database.close();
    return rows.map(({ name }) => name).toSorted();
  };

  test("is refused with what to do, and nothing of it changes", async () => {
    const { url } = await createTestDatabase({ migrated: false });
    await runStatement(url, "create table kysely_migration (name text primary key, timestamp text not null)");
    await runStatement(url, "insert into kysely_migration values ('0001_accounts_keys_wallets', '2026-07-01')");
    await runStatement(url, "create table accounts (id text primary key)");

    await expect(open(url)).rejects.toSatisfy(
      (error) =>
        error instanceof ConfigurationError &&
        /made by a version before 0\.2\.0.*new, empty database/.test(error.message),
    );
    expect(await readTables(url)).toEqual(["accounts", "kysely_migration"]);
  });

  test.each([
    ["an empty database", { migrated: false }],
    ["a database of this version", { migrated: true }],
  ])("is told from %s, which opens", async (_, options) => {
    const { url } = await createTestDatabase(options);
    await open(url);
    await open(url);
    expect(await readTables(url)).toContain("wallets");
  });
});
