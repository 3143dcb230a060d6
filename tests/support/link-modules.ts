import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { repository } from "./source-files.ts";

/**
 * Creates the node_modules of a copy of the repository. Its workspaces are its own, so that it imports itself. All
 * other packages are those installed here.
 */
export async function linkModules(root: string): Promise<void> {
  const own = join(root, "node_modules");
  const folders = ["openapi", "tests", "bench", ...globSync("{apps,packages}/*", { cwd: root })].filter((folder) =>
    existsSync(join(root, folder, "package.json")),
  );
  for (const folder of folders) {
    const { name } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as { name: string };
    await link(join(root, folder), join(own, name));
    const modules = join(repository, folder, "node_modules");
    if (existsSync(modules)) {
      await link(modules, join(root, folder, "node_modules"));
    }
  }
  const installed = join(repository, "node_modules");
  // Caches of tools belong to one tree: `.cache`, `.vite`.
  const kept = (name: string): boolean => name.startsWith(".") && name !== ".bin";
  for (const name of readdirSync(installed).filter((one) => !kept(one) && !existsSync(join(own, one)))) {
    await link(join(installed, name), join(own, name));
  }
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}
