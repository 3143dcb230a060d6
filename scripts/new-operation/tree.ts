import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The reason why the scaffold cannot write. Nothing has been written. */
export class Refusal extends Error {}

/** The repository's files with changes, which are written once all of them are known to be possible. */
export interface Tree {
  has(path: string): boolean;
  read(path: string): string;
  /** The names in a folder; empty when it does not exist. */
  list(path: string): string[];
  /** Adds a new file. An existing one stays as it is. */
  add(path: string, text: string): void;
  /**
   * Replaces the match of the pattern by `text`; a lookaround inserts. Refuses a file without a match.
   */
  edit(path: string, place: RegExp, text: string): void;
  /** Writes everything and returns the paths. */
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
