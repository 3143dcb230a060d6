import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cp, lstat, mkdir, rename, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { EmbeddedPostgresError, hasCode } from "./errors.ts";

const run = promisify(execFile);

export type ServerPackage = { name: string; version: string; nativeDir: string };

/** A copy per version that all users can read and only we can write. A rename creates it complete. */
export async function copyToCache(
  source: ServerPackage,
  cacheFolders: readonly string[],
  onLine: (line: string) => void,
): Promise<string> {
  const faults: string[] = [];
  for (const parent of cacheFolders) {
    try {
      return join(await copyInto(parent, source, onLine), "native");
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new EmbeddedPostgresError(
    `The files of the embedded Postgres could not be copied to where the server's user can read them: ` +
      `${faults.join("; ")}. Move the project to a folder that all users can read, or set DATABASE_URL.`,
  );
}

/** A folder that survives a reboot, else one that exists everywhere. */
export function defaultCacheFolders(): string[] {
  const uid = process.getuid?.() ?? 0;
  const own = uid === 0 ? "/var/cache/gateway" : join(homedir(), ".cache", "gateway");
  return [own, join(tmpdir(), `gateway-cache-${uid}`)];
}

async function copyInto(parent: string, source: ServerPackage, onLine: (line: string) => void): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o755 });
  await run("chmod", ["a+rx", parent]);
  await assertOnlyOurs(parent);
  const target = join(parent, `postgres-${source.name}-${source.version}`);
  if (await exists(target)) {
    await assertOnlyOurs(target);
    return target;
  }
  onLine(`Copying the files of the embedded Postgres to ${target}, where its user can read them.`);
  await copyWhole(dirname(source.nativeDir), target);
  return target;
}

async function copyWhole(sourceDir: string, target: string): Promise<void> {
  const draft = `${target}.${randomBytes(6).toString("hex")}`;
  try {
    await cp(join(sourceDir, "native"), join(draft, "native"), { recursive: true, verbatimSymlinks: true });
    // The clone's umask and owner must not decide who can read or write the copy.
    await run("chmod", ["-R", "a+rX,go-w", draft]);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!hasCode(error, "ENOTEMPTY", "EEXIST")) {
      throw error;
    }
  }
}

/** The programs that we execute must not come from another user. */
async function assertOnlyOurs(folder: string): Promise<void> {
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid) || (found.mode & 0o022) !== 0) {
    throw new Error(`${folder} belongs to another user or can be written by others`);
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
