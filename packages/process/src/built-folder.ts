import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

/** The file of a built folder that holds the hash of its sources. */
export const inputsFileName = ".inputs";

/** The ending of a compressed file, by its `Content-Encoding`. Brotli is always the smaller. */
export const compressedEndings = { br: ".br", gzip: ".gz" } as const;

export type BuiltFile = { content: Buffer; encoding: keyof typeof compressedEndings | null };

/**
 * Reads a file in the best form that `accepted` allows. Null when it is missing: a build may replace it at any time.
 */
export async function readBuiltFile(file: string, accepted = ""): Promise<BuiltFile | null> {
  for (const encoding of encodingsIn(accepted)) {
    const content = await readIfFile(file + compressedEndings[encoding]);
    if (content) {
      return { content, encoding };
    }
  }
  const content = await readIfFile(file);
  return content && { content, encoding: null };
}

/** RFC 9110, 12.5.3. Weights only decide between yes and no. */
function encodingsIn(accepted: string): (keyof typeof compressedEndings)[] {
  const refused = /;\s*q=0(?:\.0*)?\s*$/;
  const listed = accepted.toLowerCase().split(",");
  const names = new Set(listed.filter((one) => !refused.test(one)).map((one) => one.split(";", 1)[0]?.trim()));
  return (["br", "gzip"] as const).filter((encoding) => names.has(encoding));
}

const codesOfNone: readonly unknown[] = ["ENOENT", "EISDIR", "ENOTDIR", "ENAMETOOLONG"];

async function readIfFile(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && "code" in error && codesOfNone.includes(error.code)) {
      return null;
    }
    throw error;
  }
}

/** Writes the compressed forms of a file next to it, smaller by three quarters. */
export async function writeCompressed(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file + compressedEndings.br, await promisify(brotliCompress)(content));
  await writeFile(file + compressedEndings.gzip, await promisify(gzip)(content, { level: 9 }));
}

/** One hash of all sources of a folder: files by patterns below `root`, and `more`. */
export async function hashInputs(root: string, patterns: readonly string[], more: unknown): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(more));
  for (const file of globSync(patterns, { cwd: root }).sort()) {
    const content = await readFile(join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
