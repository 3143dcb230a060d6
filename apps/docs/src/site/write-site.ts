import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SiteFiles } from "./bundle-assets.ts";

/** In the built folder: what it was built from, see `hashInputs`. */
export const inputsFileName = ".inputs";

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
  }
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
