import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { EmbeddedPostgresError } from "./errors.ts";

const run = promisify(execFile);
const userName = "postgres";

/** The user that the server runs as; undefined: our own. */
export type ServerUser = { uid: number; gid: number } | undefined;

/** Postgres refuses to run as root: the owner of the data that is there, or the system user `postgres`. */
export async function findServerUser(clusterDir: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const owner = await stat(clusterDir).catch(() => null);
  if (owner && owner.uid !== 0) {
    return { uid: owner.uid, gid: owner.gid };
  }
  return (await lookUp()) ?? createUser();
}

async function lookUp(): Promise<ServerUser> {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", userName]), run("id", ["-g", userName])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** The first is shadow-utils, the second busybox. */
const creators: [string, string[]][] = [
  ["useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", userName]],
  ["adduser", ["-S", "-D", "-H", "-s", "/bin/false", userName]],
];

async function createUser(): Promise<NonNullable<ServerUser>> {
  for (const [command, args] of creators) {
    await run(command, args).catch(() => {});
    const user = await lookUp();
    if (user) {
      return user;
    }
  }
  throw new EmbeddedPostgresError(
    `The embedded Postgres does not run as root, and the system user "${userName}" could neither be found nor made. ` +
      `Start as another user, or create that user, or set DATABASE_URL to a Postgres server.`,
  );
}
