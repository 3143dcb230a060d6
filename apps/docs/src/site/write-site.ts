import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { SiteFiles } from "./bundle-assets.ts";

/** In the built folder: what it was built from, see `hashInputs`. */
export const inputsFileName = ".inputs";

/** Beside each text, and smaller by three quarters: what a server sends to who can read it, by the ending. */
export const compressedEndings = { br: ".br", gzip: ".gz" } as const;

/**
 * Writes the whole site beside `folder` and then puts it in its place, so that who serves the folder meanwhile never sees half
 * a site, and nothing of an earlier build stays.
 */
export async function writeSite(folder: string, files: SiteFiles, inputs: string): Promise<void> {
  const next = `${folder}.${process.pid}.next`;
  await rm(next, { recursive: true, force: true });
  for (const [path, content] of [...files, [inputsFileName, inputs] as const]) {
    const file = join(next, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    if (isText.has(extname(path))) {
      await writeFile(file + compressedEndings.br, await promisify(brotliCompress)(content));
      await writeFile(file + compressedEndings.gzip, await promisify(gzip)(content, { level: 9 }));
    }
  }
  await putInPlace(next, folder);
}

const isText: ReadonlySet<string> = new Set([".css", ".html", ".js", ".json", ".md", ".svg", ".txt", ".xml"]);

/** Another build may put its own there between the two steps: then that one makes room. */
async function putInPlace(next: string, folder: string): Promise<void> {
  const last = `${folder}.${process.pid}.last`;
  await rename(folder, last).catch(ignore("ENOENT"));
  const isTaken = await rename(next, folder).then(() => false, ignore("ENOTEMPTY"));
  await rm(last, { recursive: true, force: true });
  if (isTaken) {
    await putInPlace(next, folder);
  }
}

/** True for an error of this code; any other is thrown on. */
function ignore(code: string): (error: unknown) => boolean {
  return (error) => {
    if (error instanceof Error && "code" in error && error.code === code) {
      return true;
    }
    throw error;
  };
}
