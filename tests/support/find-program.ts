import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Where the machine has a program, those for its administrator included. Null, with a line printed, where it has none;
 * in CI that is an error, for a skipped test proves nothing.
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
