import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A custom setting that Postgres ignores. On the command line, it identifies the process. */
export const folderSetting = "gateway.data_folder";

/** Process numbers are reused, so a living process is not enough. Every user may read its command line. */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) {
    return false;
  }
  const command = await readCommandLine(pid);
  return command === null || command.includes(`${folderSetting}=${cluster}`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process lives and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Empty for a zombie. Null on Windows, where it is unknown: the process then counts as the server. */
async function readCommandLine(pid: number): Promise<string | null> {
  if (process.platform === "win32") {
    return null;
  }
  if (process.platform === "linux") {
    return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  }
  return run("ps", ["-ww", "-p", String(pid), "-o", "command="]).then(
    ({ stdout }) => stdout,
    () => "",
  );
}
