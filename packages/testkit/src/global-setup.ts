import { migrations } from "@gateway/platform";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type EmbeddedPostgres, migrate, startEmbeddedPostgres } from "@gateway/database";
import type { TestProject } from "vitest/node";
import { runStatement } from "./run-statement.ts";
import { templateDatabase, withDatabase } from "./test-database-names.ts";

declare module "vitest" {
  // Vitest reads the provided values from this interface, which can only be extended by merging.
  export interface ProvidedContext {
    testServerUrl: string;
    testRoot: string;
  }
}

/**
 * One Postgres for a run of the tests, in a temporary folder, with a migrated template that each test database is a copy
 * of. The returned function, which vitest calls at the end of a run, stops the server. A small process beside the run deletes the folder, with
 * what tests have made in it, when the run is over or was killed.
 */
export default async function setUpTestServer(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), "gateway-test-"));
  const janitor = startJanitor(root);
  let server: EmbeddedPostgres | undefined;
  const tearDown = async (): Promise<void> => {
    await server?.stop();
    // It does the rest, and nobody waits for it: deleting some hundred databases takes half a minute.
    janitor.stdin?.end();
  };
  try {
    const isSlow = project.viteConfig.mode === "slow";
    const postgresFlags = isSlow ? fastAndForgetful : [...fastAndForgetful, ...untidy];
    server = await startEmbeddedPostgres({ dataDir: join(root, "shared"), postgresFlags });
    await runStatement(server.url, `create database ${templateDatabase}`);
    await migrate(withDatabase(server.url, templateDatabase), migrations);
    project.provide("testServerUrl", server.url);
    project.provide("testRoot", root);
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}

const janitorScript = fileURLToPath(new URL("server-janitor.ts", import.meta.url));

/** In a process group of its own: Ctrl-C and a killed run must not take it along. */
function startJanitor(root: string): ChildProcess {
  const janitor = spawn(process.execPath, [janitorScript, root], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  janitor.unref();
  return janitor;
}

/** The data lives for one run, so nothing is worth waiting for the disk. Each worker of vitest opens up to 75 connections. */
const fastAndForgetful = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  `max_connections=${Math.max(300, 75 * availableParallelism())}`,
].flatMap((setting) => ["-c", setting]);

/** It would look into each of some 300 databases once a minute. Only slow suites fill tables for so long that they are worth it. */
const untidy = ["-c", "autovacuum=off"];
