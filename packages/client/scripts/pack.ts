import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = fileURLToPath(new URL("../", import.meta.url));

/** Packs what would be published, built afresh, into a folder. Gives the tarball's path. */
export async function pack(into: string): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--json", "--pack-destination", into], { cwd: folder });
  // npm prints what its scripts print before its own JSON, and, by version, a list or a table by name.
  const packed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as Record<string, { filename: string }>;
  const [one] = Object.values(packed);
  return join(into, one?.filename ?? "");
}
