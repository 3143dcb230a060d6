import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findEmbeddedUrl, migrate, startEmbeddedPostgres } from "@gateway/database";
import type { EmbeddedPostgres } from "@gateway/database";
import type { TestProject } from "vitest/node";
import { runStatement } from "./run-statement.ts";
import { templateDatabase, withDatabase } from "./test-database-names.ts";

const folderPrefix = "gateway-test-";
const abandonedAfterMs = 3_600_000;

declare module "vitest" {
  // Vitest reads the provided values from this interface, which can only be extended by merging.
  export interface ProvidedContext {
    testServerUrl: string;
  }
}

/**
 * One Postgres for a run of the tests, in a temporary folder, with a migrated template that each test database is a copy
 * of. The returned function, which vitest calls at the end of every run, stops the server and deletes the folder.
 */
export default async function setUpTestServer(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandoned();
  const dataDir = await mkdtemp(join(tmpdir(), folderPrefix));
  let server: EmbeddedPostgres | undefined;
  const tearDown = async (): Promise<void> => {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    server = await startEmbeddedPostgres({ dataDir, postgresFlags: fastAndForgetful });
    await runStatement(server.url, `create database ${templateDatabase}`);
    await migrate(withDatabase(server.url, templateDatabase));
    project.provide("testServerUrl", server.url);
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}

/** A run that was killed leaves its server and its folder. The folders of runs under way are refused to us, and kept. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const dataDir = join(tmpdir(), name);
    if (name.startsWith(folderPrefix) && (await ageMs(dataDir)) > abandonedAfterMs) {
      await remove(dataDir).catch(() => {});
    }
  }
}

async function remove(dataDir: string): Promise<void> {
  if (await findEmbeddedUrl(dataDir)) {
    const server = await startEmbeddedPostgres({ dataDir });
    await server.stop();
  }
  await rm(dataDir, { recursive: true, force: true });
}

async function ageMs(path: string): Promise<number> {
  return Date.now() - (await stat(path)).mtimeMs;
}

/** The data lives for one run, so nothing is worth waiting for the disk. */
const fastAndForgetful = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"].flatMap(
  (setting) => ["-c", setting],
);
