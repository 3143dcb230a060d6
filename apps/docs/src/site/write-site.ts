import { inputsFileName, replaceFolder, writeCompressed } from "@gateway/process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import type { SiteFiles } from "./bundle-assets.ts";

/** Replaces the contents of `folder` by the whole site. */
export async function writeSite(folder: string, files: SiteFiles, inputs: string): Promise<void> {
  await replaceFolder(folder, async (next) => {
    for (const [path, content] of [...files, [inputsFileName, inputs] as const]) {
      const file = join(next, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      if (isText.has(extname(path))) {
        await writeCompressed(file, content);
      }
    }
  });
}

const isText: ReadonlySet<string> = new Set([".css", ".html", ".js", ".json", ".md", ".svg", ".txt", ".xml"]);
