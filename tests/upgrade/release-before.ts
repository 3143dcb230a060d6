import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { linkModules } from "../support/link-modules.ts";
import { repository } from "../support/source-files.ts";

const run = promisify(execFile);

/** Unpacks the sources of a commit into a folder of their own, ready to run. */
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
