import { inputsFileName, replaceFolder, writeCompressed } from "@gateway/process";
import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { pageFolder, workspace } from "../folders.ts";
import { hashPageInputs } from "./start-page-build.ts";

/** Replaces the contents of `folder` with the built page. Each text file is also stored as brotli and gzip. */
export async function buildPage(folder: string = pageFolder): Promise<void> {
  // Hashed before anything is read, so that a change during the build makes it stale.
  const inputs = await hashPageInputs();
  await replaceFolder(folder, async (next) => {
    await build({
      root: workspace,
      configFile: join(workspace, "vite.config.ts"),
      logLevel: "error",
      build: { outDir: next, emptyOutDir: true },
    });
    for (const file of globSync("**/*.{css,js,json,svg,txt,webmanifest}", { cwd: next })) {
      await writeCompressed(join(next, file), await readFile(join(next, file)));
    }
    await writeFile(join(next, inputsFileName), inputs);
  });
}
