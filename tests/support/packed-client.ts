import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { pack } from "../../packages/client/scripts/pack.ts";

const run = promisify(execFile);

export type PackedClient = {
  /** A project outside the repository that has the client installed from its tarball. */
  folder: string;
  tarball: string;
  install(...packages: string[]): Promise<void>;
};

/**
 * Builds and packs the client, and installs it with other packages in a folder from which no part of the repository can
 * be reached.
 */
export async function installPackedClient(...packages: string[]): Promise<PackedClient> {
  const folder = await createTestFolder();
  const tarball = await pack(folder);
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const install = async (...names: string[]): Promise<void> => {
    const options = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    await run("npm", ["install", ...options, ...names], { cwd: folder });
  };
  await install(tarball, ...packages);
  return { folder, tarball, install };
}
