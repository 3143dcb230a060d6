import { spawn } from "node:child_process";
import { chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "./find-free-port.ts";
import { skipWithout } from "./skip-without.ts";
import { waitFor } from "./wait-for.ts";

export type PgBouncer = {
  /** The same database as without it. */
  url: string;
  stop(): Promise<void>;
};

export type PgBouncerOptions = { settings?: Readonly<Record<string, string | number>> };

/**
 * PgBouncer in transaction mode before the server of `url`, else as it comes. Null, with a line printed, where the
 * machine has no `pgbouncer`; in CI that is an error.
 */
export async function startPgBouncer(url: string, { settings = {} }: PgBouncerOptions = {}): Promise<PgBouncer | null> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-pgbouncer-"));
  const port = await findFreePort();
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, configurationOf(new URL(url), { ...settings, listen_port: port }));
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : null;
  await Promise.all(user ? [folder, file].map((path) => chown(path, user.uid, user.gid)) : []);
  const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin` };
  const child = spawn("pgbouncer", ["--quiet", file], {
    ...user,
    env,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const outcome = await new Promise<Error | null>((resolve) => {
    child.once("error", resolve);
    child.once("exit", () => resolve(new Error(complaint)));
    waitFor(() => child.exitCode !== null || answers(port)).then(() => resolve(null), resolve);
  });
  if (outcome) {
    await rm(folder, { recursive: true, force: true });
    return skipWithout("pgbouncer", outcome);
  }
  const through = new URL(url);
  through.port = String(port);
  return {
    url: through.href,
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** It signs in to Postgres by itself, and takes anybody. */
function configurationOf(url: URL, settings: Readonly<Record<string, string | number>>): string {
  const { hostname, port, username, password } = url;
  const all = {
    listen_addr: "127.0.0.1",
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    max_client_conn: 300,
    ...settings,
  };
  return [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
    "[pgbouncer]",
    ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    "",
  ].join("\n");
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
