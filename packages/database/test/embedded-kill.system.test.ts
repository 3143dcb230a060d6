import type { Schema } from "@gateway/platform";
import { setTimeout as delay } from "node:timers/promises";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTestFolder, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findEmbeddedUrl, openDatabase, startEmbeddedPostgres } from "../src/index.ts";
import { postmasterPid } from "./support/postmaster-pid.ts";
import { startOwnerProcess } from "./support/owner-process.ts";
import type { OwnerProcess } from "./support/owner-process.ts";

let dataDir: string;
let owners: OwnerProcess[];

beforeEach(async () => {
  dataDir = join(await createTestFolder(), "data");
  owners = [];
});

afterEach(async () => {
  await Promise.all(owners.map((owner) => owner.kill("SIGKILL")));
  await stopServer();
});

/** The one that a killed owner may have left. */
async function stopServer(): Promise<void> {
  if (await findEmbeddedUrl(dataDir)) {
    const server = await startEmbeddedPostgres({ dataDir });
    await server.stop();
  }
}

function startOwner(): OwnerProcess {
  const owner = startOwnerProcess(dataDir);
  owners.push(owner);
  return owner;
}

async function storedRows(url: string): Promise<number> {
  const db = openDatabase<Schema>({ url });
  const { rows } = await sql<{ n: number }>`select count(*) as n from acknowledged`
    .execute(db.kysely)
    .finally(() => db.close());
  return rows[0]?.n ?? 0;
}

test("ten times killed under load, the next start takes the server over with every acknowledged row", async () => {
  let acknowledged = 0;
  for (let round = 0; round < 10; round += 1) {
    const owner = startOwner();
    const { url, adopted } = await owner.ready();
    expect(adopted).toBe(round > 0);
    expect(await storedRows(url)).toBeGreaterThanOrEqual(acknowledged);
    await waitFor(() => owner.lastRow() > acknowledged + 20);
    await owner.kill("SIGKILL");
    acknowledged = owner.lastRow();
  }
  expect(acknowledged).toBeGreaterThan(200);
});

test("killed together with its server, the next start recovers every acknowledged row", async () => {
  let acknowledged = 0;
  for (let round = 0; round < 5; round += 1) {
    const owner = startOwner();
    const { url, adopted } = await owner.ready();
    expect(adopted).toBe(false);
    expect(await storedRows(url)).toBeGreaterThanOrEqual(acknowledged);
    await waitFor(() => owner.lastRow() > acknowledged + 20);
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await owner.kill("SIGKILL");
    acknowledged = owner.lastRow();
  }
});

test("killed at any moment of the first start, the next one starts", async () => {
  for (let afterMs = 50; afterMs <= 1_050; afterMs += 100) {
    const killed = startOwner();
    await delay(afterMs);
    await killed.kill("SIGKILL");
    const owner = startOwner();
    await owner.ready();
    await owner.kill("SIGTERM");
    expect(await readdir(dataDir)).toEqual(["postgres", "postgres.log"]);
    await rm(dataDir, { recursive: true });
  }
});

describe("signals", () => {
  test("a second process on the folder is refused in one sentence with exit code 1, and the first writes on", async () => {
    const first = startOwner();
    await first.ready();
    const second = startOwner();

    expect(await second.exited).toBe(1);
    expect(second.complaint()).toMatch(
      /^DataFolderInUseError: The data folder .+ is in use by another running gateway\./,
    );
    const before = first.lastRow();
    await waitFor(() => first.lastRow() > before);
  });

  test("Ctrl-C reaches the owner's whole process group, and yet the server runs until the owner stops it", async () => {
    const owner = startOwner();
    await owner.ready();
    process.kill(-owner.pid, "SIGINT");
    const before = owner.lastRow();
    await waitFor(() => owner.lastRow() > before + 20);

    expect(await owner.kill("SIGTERM")).toBe(0);
  });

  test("asked to end, the owner stops the server and nothing is left to adopt", async () => {
    const owner = startOwner();
    await owner.ready();
    expect(await owner.kill("SIGTERM")).toBe(0);

    expect((await startOwner().ready()).adopted).toBe(false);
  });
});
