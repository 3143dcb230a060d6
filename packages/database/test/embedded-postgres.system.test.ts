import type { Schema } from "@gateway/platform/compose/schema";
import { spawn } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestFolder, waitFor, patience } from "@gateway/testkit";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import {
  DataFolderInUseError,
  type EmbeddedPostgres,
  findEmbeddedUrl,
  openDatabase,
  startEmbeddedPostgres,
} from "../src/index.ts";
import { postmasterPid } from "./support/postmaster-pid.ts";

let dataDir: string;

/** One folder, and so one first start, for all tests that do not need a new one. */
beforeAll(async () => {
  dataDir = join(await createTestFolder(), "data");
});

async function query<T>(url: string, statement: string): Promise<T[]> {
  const db = openDatabase<Schema>({ url, ...patience });
  const { rows } = await sql
    .raw<T>(statement)
    .execute(db.kysely)
    .finally(() => db.close());
  return rows;
}

test("a first start in a folder that only we can enter makes a database, and a later start finds its rows", async () => {
  const first = await startEmbeddedPostgres({ dataDir });
  await query(first.url, "create table first_start as select 42 as n");
  await first.stop();
  const second = await startEmbeddedPostgres({ dataDir });

  expect(await query(second.url, "select n from first_start")).toEqual([{ n: 42 }]);
  expect([first.adopted, second.adopted]).toEqual([false, false]);
  await second.stop();
});

test("commits wait for the disk, pages have checksums, and only loopback is listened on", async () => {
  const server = await startEmbeddedPostgres({ dataDir });
  const names = ["fsync", "synchronous_commit", "full_page_writes", "data_checksums", "listen_addresses"];
  const settings = await query(
    server.url,
    names.map((name) => `select current_setting('${name}') as value`).join(" union all "),
  );

  expect(settings.map((row) => (row as { value: string }).value)).toEqual(["on", "on", "on", "on", "127.0.0.1"]);
  await server.stop();
});

test("the password is random, demanded, and readable by the owner only", async () => {
  const server = await startEmbeddedPostgres({ dataDir });
  const wrong = new URL(server.url);
  wrong.password = "postgres";

  await expect(query(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  expect(new URL(server.url).password.length).toBeGreaterThanOrEqual(32);
  expect((await stat(join(dataDir, "postgres", "gateway.json"))).mode & 0o077).toBe(0);
  await server.stop();
});

test("a second start on the same folder is refused by name, and the first goes on unharmed", async () => {
  const first = await startEmbeddedPostgres({ dataDir });
  const second = startEmbeddedPostgres({ dataDir: join(dataDir, "..", "data") });

  await expect(second).rejects.toThrow(DataFolderInUseError);
  await expect(second).rejects.toThrow(`The data folder ${dataDir} is in use`);
  expect(await query(first.url, "select 1 as n")).toEqual([{ n: 1 }]);
  await first.stop();
});

test("of two first starts at once one wins, the other is refused, and no draft is left", async () => {
  const fresh = join(await createTestFolder(), "data");
  const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir: fresh });
  const outcomes = await Promise.allSettled([start(), start()]);
  const winner = outcomes.find((outcome) => outcome.status === "fulfilled");
  const loser = outcomes.find((outcome) => outcome.status === "rejected");

  expect(loser?.reason).toBeInstanceOf(DataFolderInUseError);
  expect(await query(winner?.value.url ?? "", "select 1 as n")).toEqual([{ n: 1 }]);
  expect((await readdir(fresh)).toSorted()).toEqual(["postgres", "postgres.log"]);
  await winner?.value.stop();
});

test("a tool finds the address of a running server beside it, and none when none runs", async () => {
  expect(await findEmbeddedUrl(`${dataDir}-that-never-was`)).toBeNull();
  const server = await startEmbeddedPostgres({ dataDir });
  expect(await findEmbeddedUrl(dataDir)).toBe(server.url);

  await server.stop();
  expect(await findEmbeddedUrl(dataDir)).toBeNull();
});

test("a server that dies under us is reported once, a stop that was asked for is not", async () => {
  const reports: Error[] = [];
  const server = await startEmbeddedPostgres({ dataDir, onExit: (error) => reports.push(error) });
  process.kill(await postmasterPid(dataDir), "SIGKILL");
  await waitFor(() => reports.length > 0);

  expect(reports.map(String)).toEqual([expect.stringContaining("has stopped by itself")]);
  await server.stop();
  const next = await startEmbeddedPostgres({ dataDir, onExit: (error) => reports.push(error) });
  await next.stop();
  expect(reports).toHaveLength(1);
});

test("a crash of one session restarts the server, and the folder stays ours", async () => {
  const reports: Error[] = [];
  const server = await startEmbeddedPostgres({ dataDir, onExit: (error) => reports.push(error) });
  const [session] = await query<{ pid: number }>(
    server.url,
    "select pid from pg_stat_activity where application_name = 'gateway-owner'",
  );
  process.kill(session?.pid ?? 0, "SIGKILL");
  // Another session owns it again: the killed one may hold the lock until the server has seen its end.
  const owners = "select pid from pg_locks where locktype = 'advisory' and granted";
  const isOwnedAnew = async (): Promise<boolean> => {
    const held = await query<{ pid: number }>(server.url, owners).catch(() => []);
    return held.length === 1 && held[0]?.pid !== session?.pid;
  };
  await waitFor(isOwnedAnew);

  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(DataFolderInUseError);
  expect(reports).toEqual([]);
  await server.stop();
});

test("a number in postmaster.pid that an unrelated process has now does not block the start", async () => {
  const server = await startEmbeddedPostgres({ dataDir });
  await query(server.url, "create table kept as select 42 as n");
  const pidFile = join(dataDir, "postgres", "postmaster.pid");
  const content = await readFile(pidFile, "utf8");
  process.kill(await postmasterPid(dataDir), "SIGKILL");
  await waitFor(() => findEmbeddedUrl(dataDir).then((url) => url === null));
  await server.stop();
  const { uid, gid } = await stat(pidFile);
  const unrelated = spawn("sleep", ["60"], { uid, gid, stdio: "ignore" });
  await writeFile(pidFile, content.replace(/^\d+/, String(unrelated.pid)));

  try {
    const next = await startEmbeddedPostgres({ dataDir });
    expect(next.adopted).toBe(false);
    expect(await query(next.url, "select n from kept")).toEqual([{ n: 42 }]);
    await next.stop();
  } finally {
    unrelated.kill();
  }
});

test("a copy of the folder of a running server is a folder of its own", async () => {
  const server = await startEmbeddedPostgres({ dataDir });
  const copyDir = `${dataDir}-copy`;
  await cp(dataDir, copyDir, { recursive: true });
  expect(await findEmbeddedUrl(copyDir)).toBeNull();

  await server.stop();
  await rm(copyDir, { recursive: true });
});

test("a folder with something else in the database's place is refused and left as it is", async () => {
  const other = `${dataDir}-other`;
  await mkdir(join(other, "postgres", "something"), { recursive: true });

  await expect(startEmbeddedPostgres({ dataDir: other })).rejects.toThrow(
    "the gateway did not create the database in it",
  );
  expect(await readdir(other, { recursive: true })).toEqual(["postgres", "postgres/something"]);
});
