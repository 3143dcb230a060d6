import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const client = fileURLToPath(new URL("../", import.meta.url));

/** Packs what would be published of a folder, into another; the client, unless told otherwise, is built afresh. Gives the tarball's path. */
export async function pack(into: string, folder = client): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--json", "--pack-destination", into], { cwd: folder });
  // npm prints what its scripts print before its own JSON, and, by version, a list or a table by name.
  const packed = JSON.parse(stdout.slice(stdout.search(/^[[{]/m))) as Record<string, { filename: string }>;
  const [one] = Object.values(packed);
  return join(into, one?.filename ?? "");
}
