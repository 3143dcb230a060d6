import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTestFolder } from "@gateway/testkit";
import { migrate, startEmbeddedPostgres } from "../../src/index.ts";

const run = promisify(execFile);

export type OwnServer = {
  url: string;
  dataDir: string;
  /** SIGSTOP to the server and all its processes: connections stay open, nothing answers. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  end(): Promise<void>;
};

/** A migrated server of one test file, which may be frozen, stopped and started again on the same port. */
export async function startOwnServer(): Promise<OwnServer> {
  const dataDir = await createTestFolder();
  let server = await startEmbeddedPostgres({ dataDir });
  await migrate(server.url);
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

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
}

/** The postmaster first, so that it starts nothing while its children are being stopped. */
async function serverPids(dataDir: string): Promise<number[]> {
  const postmaster = await postmasterPid(dataDir);
  const { stdout } = await run("pgrep", ["-P", String(postmaster)]);
  return [postmaster, ...stdout.trim().split("\n").map(Number)];
}
