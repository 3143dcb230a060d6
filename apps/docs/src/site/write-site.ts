import { replaceFolder } from "@gateway/process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { SiteFiles } from "./bundle-assets.ts";

/** In the built folder: what it was built from, see `hashInputs`. */
export const inputsFileName = ".inputs";

/** Beside each text, and smaller by three quarters: what a server sends to who can read it, by the ending. */
export const compressedEndings = { br: ".br", gzip: ".gz" } as const;

/** Writes the whole site in the place of what is in `folder`. */
export async function writeSite(folder: string, files: SiteFiles, inputs: string): Promise<void> {
  await replaceFolder(folder, async (next) => {
    for (const [path, content] of [...files, [inputsFileName, inputs] as const]) {
      const file = join(next, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      if (isText.has(extname(path))) {
        await writeFile(file + compressedEndings.br, await promisify(brotliCompress)(content));
        await writeFile(file + compressedEndings.gzip, await promisify(gzip)(content, { level: 9 }));
      }
    }
  });
}

const isText: ReadonlySet<string> = new Set([".css", ".html", ".js", ".json", ".md", ".svg", ".txt", ".xml"]);
