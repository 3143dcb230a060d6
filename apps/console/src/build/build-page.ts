import { globSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import { build } from "vite";
import { pageFolder, workspace } from "../folders.ts";
import { compressedEndings } from "../serve/built-page.ts";
import { hashPageInputs, pageInputsFileName } from "./hash-inputs.ts";

/**
 * Builds the page beside its folder and then puts it in its place, so that who serves the folder meanwhile never sees half a page. Each text
 * lies there as brotli and gzip too.
 */
export async function buildPage(folder: string = pageFolder): Promise<void> {
  // Before anything is read: a change during the build makes it stale.
  const inputs = await hashPageInputs();
  const next = `${folder}.${process.pid}.next`;
  await rm(next, { recursive: true, force: true });
  await build({
    root: workspace,
    configFile: join(workspace, "vite.config.ts"),
    logLevel: "error",
    build: { outDir: next, emptyOutDir: true },
  });
  for (const file of globSync("**/*.{css,js,json,svg,txt,webmanifest}", { cwd: next })) {
    const content = await readFile(join(next, file));
    await writeFile(join(next, file + compressedEndings.br), await promisify(brotliCompress)(content));
    await writeFile(join(next, file + compressedEndings.gzip), await promisify(gzip)(content, { level: 9 }));
  }
  await writeFile(join(next, pageInputsFileName), inputs);
  await putInPlace(next, folder);
}

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
