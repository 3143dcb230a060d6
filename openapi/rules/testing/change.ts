/** A change at a path of names joined by dots; `remove` without a value. A dot behind a slash belongs to its name. */
export type Change = { path: string; value?: unknown };

export function set(path: string, value: unknown): Change {
  return { path, value };
}

export function remove(path: string): Change {
  return { path };
}

/** Applies the changes in place. A path that leads nowhere throws, so a case cannot silently test nothing. */
export function applyChanges(document: object, changes: readonly Change[]): void {
  for (const change of changes) {
    const names = change.path.split(/(?<!\/)\./);
    const last = names.pop() ?? "";
    const parent = names.reduce<unknown>((node, name) => child(node, name, change.path), document);
    if (!isObject(parent) || (!("value" in change) && !(last in parent))) {
      throw new Error(`There is no ${change.path} in the description.`);
    }
    if ("value" in change) {
      parent[last] = change.value;
    } else {
      delete parent[last];
    }
  }
}

function child(node: unknown, name: string, path: string): unknown {
  if (!isObject(node)) {
    throw new Error(`There is no ${path} in the description.`);
  }
  return node[name];
}

function isObject(node: unknown): node is Record<string, unknown> {
  return typeof node === "object" && node !== null;
}
