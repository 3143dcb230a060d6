import { findFreePort, waitFor } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { appendFile, chmod, chown, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "./find-program.ts";

const execute = promisify(execFile);

export type PostgresMachine = {
  folder: string;
  /** Runs a program of Postgres, or a script, as the server's user. Resolves to its output. Rejects when it fails. */
  run(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /**
   * Creates a server in the folder `name`, with these lines in its configuration. It has an empty database `gateway`
   * that belongs to a user of that name.
   */
  create(name: string, settings?: string): Promise<PostgresServer>;
  /** Starts a server in an existing folder. Resolves when it accepts writes, or for a standby, when it responds. */
  start(name: string): Promise<PostgresServer>;
  /** Copies a server into a folder `name`, as a standby that follows it or as a backup. The copy is not started. */
  copy(server: PostgresServer, name: string, as: "standby" | "backup"): Promise<void>;
  end(): Promise<void>;
};

export type PostgresServer = {
  /** URL of the database `gateway`, with its user. */
  url: string;
  /** URL of the server, with its owner. */
  ownerUrl: string;
  /** Kills the server without a shutdown, as when a machine is lost. */
  kill(): Promise<void>;
};

/** The folder of the newest Postgres that Debian has installed. Null, with a line printed, when there is none. */
export function findDebianPostgres(): string | null {
  const folders = globSync("/usr/lib/postgresql/*/bin").toSorted(new Intl.Collator("en", { numeric: true }).compare);
  const found = findProgram("pg_ctl", folders.toReversed());
  return found === null ? null : join(found, "..");
}

/**
 * Postgres as a distribution installs it, with its own tools. `scripts` are copied into its folder, because its user
 * may be unable to read the repository.
 */
export async function createPostgresMachine(programs: string, scripts: readonly string[]): Promise<PostgresMachine> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-postgres-"));
  const user = await findUser();
  for (const script of scripts) {
    await copyFile(script, join(folder, basename(script)));
  }
  await chmod(folder, 0o755);
  if (user) {
    await chown(folder, user.uid, user.gid);
  }
  const env = { PATH: `${programs}:${process.env["PATH"] ?? ""}` };
  const run: PostgresMachine["run"] = async (command, args, more = {}) =>
    (await execute(command, args, { ...user, cwd: folder, env: { ...env, ...more } })).stdout;
  const started = new Set<string>();
  const stop = async (name: string): Promise<void> => {
    if (started.delete(name)) {
      await run("pg_ctl", ["stop", "-D", name, "-m", "immediate"]);
    }
  };
  const standbys = new Set<string>();
  const start = async (name: string): Promise<PostgresServer> => {
    const port = await findFreePort();
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`;
    await run("pg_ctl", ["start", "-w", "-D", name, "-l", `${name}.log`, "-o", options]);
    started.add(name);
    const ownerUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
    const isReady = async (): Promise<boolean> =>
      (await run("psql", ["-Atc", "select pg_is_in_recovery()", ownerUrl])).trim() === "f" || standbys.has(name);
    await waitFor(isReady, { timeoutMs: 60_000, intervalMs: 200 });
    return { url: `postgres://gateway@127.0.0.1:${port}/gateway`, ownerUrl, kill: () => stop(name) };
  };
  const create: PostgresMachine["create"] = async (name, settings = "") => {
    await run("initdb", ["-D", name, "--username=postgres", "--auth=trust", "--encoding=UTF8"]);
    await appendFile(join(folder, name, "postgresql.conf"), settings);
    const server = await start(name);
    const sql = ["-c", "create role gateway login", "-c", "create database gateway owner gateway"];
    await run("psql", [...sql, server.ownerUrl]);
    return server;
  };
  const copy: PostgresMachine["copy"] = async ({ ownerUrl }, name, as) => {
    const follows = as === "standby" ? ["-R"] : [];
    await run("pg_basebackup", ["-D", name, "-X", "stream", "-c", "fast", ...follows, "-d", ownerUrl]);
    if (as === "standby") {
      standbys.add(name);
    }
  };
  return {
    folder,
    run,
    create,
    start,
    copy,
    end: async () => {
      for (const name of [...started]) {
        await stop(name);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Postgres refuses to run as root, so that its programs run as the user `postgres` then. */
async function findUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) {
    return null;
  }
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (option) => Number((await execute("id", [option, "postgres"])).stdout)),
  );
  return uid === undefined || gid === undefined ? null : { uid, gid };
}
