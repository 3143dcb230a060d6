import { migrations } from "@gateway/schema";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { migrate, startEmbeddedPostgres } from "@gateway/database";
import { createTestFolder } from "./test-folder.ts";

const run = promisify(execFile);

export type OwnPostgres = {
  url: string;
  dataDir: string;
  /** SIGSTOP to the server and all its processes: connections stay open, and nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
  /** Again, on the same port. */
  start(): Promise<void>;
  /** Stops it for good, frozen or not. */
  end(): Promise<void>;
};

/** A migrated Postgres of one test, to be frozen, stopped and started again. It ends with the run, if not before. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await createTestFolder();
  let server = await startEmbeddedPostgres({ dataDir });
  await migrate(server.url, migrations);
  const { port } = new URL(server.url);
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    for (const pid of await serverPids(dataDir)) {
      process.kill(pid, name);
    }
  };
  return {
    url: server.url,
    dataDir,
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    stop: () => server.stop(),
    start: async () => {
      // The last of two `-p` counts.
      server = await startEmbeddedPostgres({ dataDir, postgresFlags: ["-p", port] });
    },
    end: async () => {
      await signal("SIGCONT").catch(() => {});
      await server.stop();
    },
  };
}

/** The postmaster first, so that it starts nothing while its children are being stopped. */
async function serverPids(dataDir: string): Promise<number[]> {
  const [postmaster = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  const { stdout } = await run("pgrep", ["-P", postmaster]);
  return [postmaster, ...stdout.trim().split("\n")].map(Number);
}
