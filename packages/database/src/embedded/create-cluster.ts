import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Credentials, type DataFolder, newCredentials, readCredentials, writeCredentials } from "./data-folder.ts";
import { EmbeddedPostgresError, hasCode } from "./errors.ts";
import { processOptions, type Server } from "./postmaster.ts";
import type { ServerUser } from "./server-user.ts";

const draftPrefix = "initializing-";

/** Renames the cluster into place whole: a kill leaves nothing behind. Of two processes one wins, the other uses it. */
export async function createCluster(folder: DataFolder, server: Server): Promise<void> {
  const draft = join(folder.root, `${draftPrefix}${randomBytes(6).toString("hex")}`);
  try {
    await rename(await draftCluster(draft, server), folder.cluster);
    await syncFolder(folder.root);
  } catch (error) {
    // The winner of a race has made it, and may have swept our draft away meanwhile.
    if ((await readCredentials(folder)) === null) {
      throw hasCode(error, "ENOTEMPTY", "EEXIST", "ENOTDIR") ? notOurs(folder, error) : error;
    }
  } finally {
    await removeFolder(draft);
  }
}

function notOurs(folder: DataFolder, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `${folder.cluster} exists, but the gateway did not create the database in it. Move it away or set DATA_DIR to another folder.`,
    { cause },
  );
}

/** Removes what killed first starts have left. Only for the owner of a folder whose cluster exists. */
export async function removeDrafts(folder: DataFolder): Promise<void> {
  const names = await readdir(folder.root);
  const drafts = names.filter((name) => name.startsWith(draftPrefix));
  await Promise.all(drafts.map((name) => removeFolder(join(folder.root, name)).catch(() => {})));
}

/** An initdb that outlived its parent may still be writing there; without its files it soon gives up. */
function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** The password goes through a file that only the server's user can read: arguments are visible to everyone. */
async function draftCluster(draft: string, server: Server): Promise<string> {
  const cluster = join(draft, "postgres");
  const passwordFile = join(draft, "password");
  const credentials = newCredentials();
  await mkdir(draft, { mode: 0o700 });
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(passwordFile, `${credentials.password}\n`, { mode: 0o600 });
  for (const path of [passwordFile, cluster, draft]) {
    await giveTo(path, server.user);
  }
  await runInitdb(cluster, server, credentials);
  await writeCredentials(cluster, credentials);
  return cluster;
}

/** The same text ordering on every machine, whatever its locales: by code point. */
const initdbArguments = [
  "--auth=scram-sha-256",
  "--encoding=UTF8",
  "--locale=C",
  "--locale-provider=builtin",
  "--builtin-locale=C.UTF-8",
  "--no-instructions",
];

async function runInitdb(cluster: string, server: Server, { user }: Credentials): Promise<void> {
  const { dataDirArgument, ...options } = processOptions(cluster, server.user);
  const own = [`--username=${user}`, `--pwfile=${dataDirArgument}/../password`];
  const child = spawn(server.files.initdb, ["-D", dataDirArgument, ...initdbArguments, ...own], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", resolve);
  });
  const [code, complaint] = await Promise.all([exited, text(child.stderr)]);
  if (code !== 0) {
    throw new EmbeddedPostgresError(
      `The embedded Postgres could not make its files in ${cluster}: ${complaint.trim() || `initdb ended with ${code}`}. ` +
        `Set DATA_DIR to another folder, or DATABASE_URL to a Postgres server.`,
    );
  }
}

async function giveTo(path: string, user: ServerUser): Promise<void> {
  if (user) {
    await chown(path, user.uid, user.gid);
  }
}

/** Makes the rename itself survive a power cut. Windows cannot open folders and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") {
    return;
  }
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
