import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { EmbeddedPostgresError, hasCode } from "./errors.ts";

/** Paths inside DATA_DIR. All are real paths, so two spellings of one folder are one folder. */
export type DataFolder = {
  root: string;
  /** The Postgres cluster. A rename creates it, so it is complete or absent. */
  cluster: string;
  log: string;
};

/** Kept inside the cluster, readable by its owner only, so that it appears and moves with the data. */
export type Credentials = { user: string; password: string };

export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return await findDataFolder(dataDir);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The data folder ${dataDir} cannot be made or opened. Set DATA_DIR to a folder that can be written, or DATABASE_URL to a Postgres server.`,
      { cause },
    );
  }
}

export async function findDataFolder(dataDir: string): Promise<DataFolder> {
  const root = await realpath(dataDir);
  return { root, cluster: join(root, "postgres"), log: join(root, "postgres.log") };
}

export function newCredentials(): Credentials {
  return { user: "postgres", password: randomBytes(24).toString("base64url") };
}

const credentialsFile = "gateway.json";

/** Flushes the credentials to the disk, because a cluster without its password is lost. */
export async function writeCredentials(cluster: string, credentials: Credentials): Promise<void> {
  const file = await open(join(cluster, credentialsFile), "wx", 0o600);
  try {
    await file.writeFile(JSON.stringify(credentials));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Null when the folder holds no cluster yet. */
export async function readCredentials(folder: DataFolder): Promise<Credentials | null> {
  try {
    // A file of our own: `writeCredentials` wrote it.
    return JSON.parse(await readFile(join(folder.cluster, credentialsFile), "utf8")) as Credentials;
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) {
      return null;
    }
    throw new EmbeddedPostgresError(
      `The data folder ${folder.root} cannot be read. It was probably made by another user: ` +
        `start as that user, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
}
