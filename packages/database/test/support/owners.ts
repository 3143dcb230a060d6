import type { Schema } from "@gateway/platform/compose/schema";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createTestFolder, waitFor, patience } from "@gateway/testkit";
import { sql } from "kysely";
import { expect } from "vitest";
import { findEmbeddedUrl, openDatabase, startEmbeddedPostgres } from "../../src/index.ts";
import { startOwnerProcess, type OwnerProcess } from "./owner-process.ts";
import { postmasterPid } from "./postmaster-pid.ts";

export type Owners = {
  dataDir: string;
  start(): OwnerProcess;
  /** The server survives each kill, and the next owner takes it over. */
  killUnderLoad(options: { rounds: number }): Promise<void>;
  /** The next owner starts the server again. */
  killWithServer(options: { rounds: number }): Promise<void>;
  /** Kills the owners that run, and stops the server that they leave. */
  end(): Promise<void>;
};

/** Processes that own one data folder, one after another, and write to it until they are killed. */
export async function createOwners(): Promise<Owners> {
  const dataDir = join(await createTestFolder(), "data");
  const owners: OwnerProcess[] = [];
  const start = (): OwnerProcess => {
    const owner = startOwnerProcess(dataDir);
    owners.push(owner);
    return owner;
  };
  const killAgainAndAgain = async (rounds: number, isAdopted: boolean, kill: () => Promise<void>): Promise<void> => {
    let acknowledged = 0;
    for (let round = 0; round < rounds; round += 1) {
      const owner = start();
      const { url, adopted } = await owner.ready();
      expect(adopted).toBe(isAdopted && round > 0);
      const stored = await countRows(url);
      expect(stored).toBeGreaterThanOrEqual(acknowledged);
      await waitFor(() => owner.lastRow() > stored + 20);
      await kill();
      await owner.kill("SIGKILL");
      acknowledged = owner.lastRow();
    }
    expect(acknowledged).toBeGreaterThan(20 * rounds);
  };
  return {
    ...{ dataDir, start },
    killUnderLoad: ({ rounds }) => killAgainAndAgain(rounds, true, async () => {}),
    killWithServer: ({ rounds }) =>
      killAgainAndAgain(rounds, false, async () => void process.kill(await postmasterPid(dataDir), "SIGKILL")),
    end: async () => {
      await Promise.all(owners.splice(0).map((owner) => owner.kill("SIGKILL")));
      await stopServer(dataDir);
    },
  };
}

/** After a first start that was killed: the next one starts, and clears away what is left. */
export async function expectNextStart({ dataDir, start }: Owners): Promise<void> {
  const owner = start();
  await owner.ready();
  await owner.kill("SIGTERM");
  expect(await readdir(dataDir)).toEqual(["postgres", "postgres.log"]);
}

async function stopServer(dataDir: string): Promise<void> {
  if (await findEmbeddedUrl(dataDir)) {
    const server = await startEmbeddedPostgres({ dataDir });
    await server.stop();
  }
}

async function countRows(url: string): Promise<number> {
  const db = openDatabase<Schema>({ url, ...patience });
  const { rows } = await sql<{ n: number }>`select count(*) as n from acknowledged`
    .execute(db.kysely)
    .finally(() => db.close());
  return rows[0]?.n ?? 0;
}
