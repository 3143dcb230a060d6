import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { repository } from "../support/source-files.ts";

const run = promisify(execFile);

/**
 * The sources of a commit in a folder of their own, ready to run: their packages are their own, what they have from
 * others is what is installed here. `rate-limiter-flexible` is installed for them alone.
 */
export async function checkOut(commit: string): Promise<string> {
  const folder = await createTestFolder();
  const archive = join(folder, "release.tar");
  try {
    await run("git", ["archive", "--output", archive, commit], { cwd: repository });
  } catch (cause) {
    throw new Error(`This clone lacks ${commit}, the release before: fetch all of its history.`, { cause });
  }
  await run("tar", ["-xf", archive, "-C", folder]);
  await linkModules(folder);
  return folder;
}

async function linkModules(folder: string): Promise<void> {
  const installed = join(repository, "node_modules");
  const own = join(folder, "node_modules");
  await mkdir(own);
  for (const name of readdirSync(installed)) {
    if (name !== "@gateway" && !name.startsWith(".")) {
      await symlink(join(installed, name), join(own, name));
    }
  }
  for (const file of globSync("{apps,packages}/*/package.json", { cwd: folder })) {
    const { name } = JSON.parse(readFileSync(join(folder, file), "utf8")) as { name: string };
    await mkdir(dirname(join(own, name)), { recursive: true });
    await symlink(join(folder, dirname(file)), join(own, name));
  }
}
