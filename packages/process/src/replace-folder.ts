import { readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** Longer than any build takes: what is older was left by one that was ended. */
const leftAfterMs = 10 * 60_000;

/** Puts the folder in its place whole, so that who serves it never sees half of it. Several may do so at once. */
export async function replaceFolder(folder: string, fill: (next: string) => Promise<void>): Promise<void> {
  await removeLeft(folder);
  const next = `${folder}.${process.pid}.next`;
  await rm(next, { recursive: true, force: true });
  await fill(next);
  await putInPlace(next, folder);
}

async function removeLeft(folder: string): Promise<void> {
  const parent = dirname(folder);
  const names = await readdir(parent).catch(ignore("ENOENT", []));
  for (const name of names.filter(
    (one) => one.startsWith(`${basename(folder)}.`) && /\.\d+\.(?:next|last)$/.test(one),
  )) {
    const left = join(parent, name);
    const changed = await stat(left).catch(ignore("ENOENT", null));
    if (changed && Date.now() - changed.mtimeMs > leftAfterMs) {
      await rm(left, { recursive: true, force: true });
    }
  }
}

/** Another one may put its own there between the two steps: then that one makes room. */
async function putInPlace(next: string, folder: string): Promise<void> {
  const last = `${folder}.${process.pid}.last`;
  await rename(folder, last).catch(ignore("ENOENT", null));
  const isTaken = await rename(next, folder).then(() => false, ignore("ENOTEMPTY", true));
  await rm(last, { recursive: true, force: true });
  if (isTaken) {
    await putInPlace(next, folder);
  }
}

/** `instead` of an error of this code; any other is thrown on. */
function ignore<Instead>(code: string, instead: Instead): (error: unknown) => Instead {
  return (error) => {
    if (error instanceof Error && "code" in error && error.code === code) {
      return instead;
    }
    throw error;
  };
}
