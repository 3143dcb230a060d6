import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * The path of a program, searched also in the administrator's folders. Null, with a line printed, when the machine does
 * not have it. In CI that is an error, because a skipped test shows nothing.
 */
export function findProgram(name: string, folders: readonly string[] = []): string | null {
  const all = [...folders, ...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"];
  const found = all.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined && process.env["CI"]) {
    throw new Error(`The tests need ${name}, which this machine does not have. Install it.`);
  }
  if (found === undefined) {
    console.error(`Skipped: this machine has no ${name}. Install it to run these tests.`);
  }
  return found ?? null;
}
