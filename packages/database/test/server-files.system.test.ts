import { chmod, cp, lstat, mkdir, mkdtemp, readdir, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { createTestFolder } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { findPackage, prepareServerFiles } from "../src/embedded/server-files.ts";
import type { ServerPackage } from "../src/embedded/server-files-cache.ts";
import { findServerUser } from "../src/embedded/server-user.ts";

let folder: string;
let source: ServerPackage;
let cache: string;

beforeEach(async () => {
  folder = await createTestFolder();
  cache = join(folder, "cache");
  source = { ...findPackage(), nativeDir: join(folder, "package", "native") };
  await cp(findPackage().nativeDir, source.nativeDir, { recursive: true, verbatimSymlinks: true });
});

test("links that npm's install script did not make are made, so --ignore-scripts works", async () => {
  const lib = join(source.nativeDir, "lib");
  const names = await readdir(lib);
  const isLink = await Promise.all(names.map(async (name) => (await lstat(join(lib, name))).isSymbolicLink()));
  const links = names.filter((_name, index) => isLink[index]);
  await Promise.all(links.map((name) => unlink(join(lib, name))));

  const files = await prepareServerFiles({ user: undefined, onLine: () => {}, source, cacheFolders: [cache] });

  expect(files.postgres).toBe(join(source.nativeDir, "bin", "postgres"));
  expect(await readdir(lib)).toEqual(names);
});

// Only we may enter a test folder, so it is as closed to the server's user as a clone under /root.
describe.runIf(process.getuid?.() === 0)("as root, out of reach of the server's user", () => {
  test("two starts at once make one copy that all can read and only root can write, and later ones use it", async () => {
    const shared = await mkdtemp("/var/tmp/gateway-cache-");
    await rm(shared, { recursive: true });
    const lines: string[] = [];
    const user = await findServerUser(join(folder, "none"));
    const prepare = (): Promise<unknown> =>
      prepareServerFiles({ user, onLine: (line) => lines.push(line), source, cacheFolders: [shared] });
    try {
      const [first, second] = await Promise.all([prepare(), prepare()]);
      const copies = await readdir(shared);
      const spoken = lines.length;
      expect(await prepare()).toEqual(first);

      expect(second).toEqual(first);
      expect(copies).toEqual([`postgres-${source.name}-${source.version}`]);
      expect(lines).toHaveLength(spoken);
      const { mode, uid } = await stat(join(shared, copies[0] ?? "", "native", "bin", "postgres"));
      expect([mode & 0o777, uid]).toEqual([0o755, 0]);
    } finally {
      await rm(shared, { recursive: true, force: true });
    }
  });

  test("a cache folder that others can write is not trusted, and the error names what to do", async () => {
    await mkdir(cache);
    const user = await findServerUser(join(folder, "none"));
    await chmod(cache, 0o777);

    await expect(prepareServerFiles({ user, onLine: () => {}, source, cacheFolders: [cache] })).rejects.toThrow(
      /can be written by others\. Move the project .+ or set DATABASE_URL\./,
    );
  });
});
