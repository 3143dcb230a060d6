import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Says what keeps the scaffold from writing; nothing has been written then. */
export class Refusal extends Error {}

/** The repository's files with changes that wait until all of them are known to be possible. */
export interface Tree {
  has(path: string): boolean;
  read(path: string): string;
  /** The names in a folder; none when there is no such folder. */
  list(path: string): string[];
  /** A new file. One that exists stays as it is. */
  add(path: string, text: string): void;
  /**
   * Puts a text in the place of what the pattern finds; a lookaround inserts. A file without such a place is refused.
   */
  edit(path: string, place: RegExp, text: string): void;
  /** Writes everything and says which files. */
  commit(): string[];
}

export function openTree(root: string): Tree {
  const changed = new Map<string, string>();
  const tree: Tree = {
    has: (path) => changed.has(path) || existsSync(join(root, path)),
    read: (path) => changed.get(path) ?? readFileSync(join(root, path), "utf8"),
    list: (path) => (existsSync(join(root, path)) ? readdirSync(join(root, path)) : []),
    add: (path, text) => {
      if (!tree.has(path)) {
        changed.set(path, text);
      }
    },
    edit: (path, place, text) => {
      const before = tree.read(path);
      if (!place.test(before)) {
        throw new Refusal(`${path} no longer has ${place.source}: repair the scaffold, or write there by hand.`);
      }
      changed.set(
        path,
        before.replace(place, () => text),
      );
    },
    commit: () => {
      for (const [path, text] of changed) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      return [...changed.keys()];
    },
  };
  return tree;
}
