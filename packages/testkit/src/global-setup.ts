import { migrations } from "@gateway/schema";
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
import { waitFor } from "./wait-for.ts";

declare module "vitest" {
  // Vitest reads the provided values from this interface, which can only be extended by merging.
  export interface ProvidedContext {
    testServerUrl: string;
    testRoot: string;
  }
}

/**
 * One Postgres for a run of the tests, in a temporary folder, with a migrated template that each test database copies.
 * The returned function, which vitest calls at the end of a run, stops the server. A small second process deletes the
 * folder, with everything in it, when the run ended or was killed.
 */
export default async function setUpTestServer(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), "gateway-test-"));
  const janitor = startJanitor(root);
  let server: EmbeddedPostgres | undefined;
  const tearDown = async (): Promise<void> => {
    await server?.stop();
    // The janitor continues alone: the deletion of some hundred databases takes half a minute.
    janitor.stdin?.end();
  };
  try {
    server = await startPatiently(root, project.name);
    await runStatement(server.url, `create database ${templateDatabase}`);
    const template = withDatabase(server.url, templateDatabase);
    await waitFor(() => migrate(template, migrations).then(() => true), { timeoutMs: patienceMs });
    project.provide("testServerUrl", server.url);
    project.provide("testRoot", root);
    return tearDown;
  } catch (error) {
    await tearDown();
    throw error;
  }
}

/** A busy machine needs long for a first start. A run that waits prints so. */
const patienceMs = 120_000;

async function startPatiently(root: string, tier: string): Promise<EmbeddedPostgres> {
  const print = (line: string): void => void process.stderr.write(`${line}\n`);
  const notice = setTimeout(
    () => print(`Waiting for the Postgres of the tests, for at most ${patienceMs / 1000} s.`),
    10_000,
  );
  const postgresFlags = tier === "edge" ? [...fastAndForgetful, ...untidy] : fastAndForgetful;
  try {
    return await startEmbeddedPostgres({ dataDir: join(root, "shared"), postgresFlags, patienceMs, onLine: print });
  } finally {
    clearTimeout(notice);
  }
}

const janitorScript = fileURLToPath(new URL("server-janitor.ts", import.meta.url));

/** Runs in its own process group, so that Ctrl-C or a killed run does not end it. */
function startJanitor(root: string): ChildProcess {
  const janitor = spawn(process.execPath, [janitorScript, root], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  janitor.unref();
  return janitor;
}

/** The data lives for one run, so no write waits for the disk. Each worker of vitest opens up to 75 connections. */
const fastAndForgetful = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  `max_connections=${Math.max(300, 75 * (availableParallelism() + 1))}`,
].flatMap((setting) => ["-c", setting]);

/**
 * Autovacuum looks into each of some 300 databases once a minute. Only the tiers system and nightly fill tables enough
 * to need it.
 */
const untidy = ["-c", "autovacuum=off"];
