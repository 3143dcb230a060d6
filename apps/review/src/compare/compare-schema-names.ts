import { keysOf, objectOf, type Json, type JsonObject } from "./json.ts";
import type { Scope } from "./scope.ts";

/** Compares names of schemas, which clients have as types. A lost name counts when its schema still exists. */
export function compareSchemaNames(scope: Scope): void {
  const { base, head } = scope.sides;
  const [before, after] = [schemasOf(scope.documents.base), schemasOf(scope.documents.head)];
  const dropped = keysOf(before, {}).filter((name) => after[name] === undefined);
  if (dropped.length === 0) {
    return;
  }
  const used = { base: findReferences(scope.documents.base), head: findReferences(scope.documents.head) };
  const gone = dropped.filter((name) => used.base.has(name));
  const fresh = new Set(keysOf(after, {}).filter((name) => before[name] === undefined && used.head.has(name)));
  for (const anchor of gone) {
    const text = base.print(before[anchor]);
    const twin = [...fresh].find((name) => head.print(after[name]) === text) ?? findSuccessor(scope, anchor, fresh);
    if (twin !== undefined) {
      fresh.delete(twin);
      scope.tell({ rule: "schema-renamed", anchor, after: twin });
    } else if (isWrittenInPlace(scope, text)) {
      scope.tell({ rule: "schema-inlined", anchor });
    }
  }
}

function schemasOf(document: JsonObject): JsonObject {
  return objectOf(objectOf(document["components"])["schemas"]);
}

/** The new name of a schema that was renamed and changed at once: all references to the old name now use it. */
function findSuccessor({ documents }: Scope, name: string, fresh: ReadonlySet<string>): string | undefined {
  const successors = new Set<string>();
  walkBoth(documents.base, documents.head, (before, after) => {
    const { $ref: next } = after;
    if (before["$ref"] === referenceTo(name)) {
      successors.add(typeof next === "string" ? next : "");
    }
  });
  const [only] = successors;
  return successors.size === 1 ? [...fresh].find((one) => referenceTo(one) === only) : undefined;
}

function walkBoth(
  before: Json | undefined,
  after: Json | undefined,
  visit: (a: JsonObject, b: JsonObject) => void,
): void {
  if (typeof before !== "object" || before === null || typeof after !== "object" || after === null) {
    return;
  }
  // Arrays are walked by their indexes.
  const [a, b] = [before as JsonObject, after as JsonObject];
  visit(a, b);
  Object.keys(a).forEach((key) => walkBoth(a[key], b[key], visit));
}

function isWrittenInPlace({ sides }: Scope, text: string): boolean {
  let isFound = false;
  walkObjects(sides.head.document, (value) => {
    isFound ||= value["$ref"] === undefined && sides.head.print(value) === text;
  });
  return isFound;
}

/** The names of the schemas that something refers to. */
function findReferences(document: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  walkObjects(document, ({ $ref: reference }) => {
    if (typeof reference === "string" && reference.startsWith(referenceTo(""))) {
      names.add(reference.slice(referenceTo("").length));
    }
  });
  return names;
}

function walkObjects(value: Json | undefined, visit: (value: JsonObject) => void): void {
  if (typeof value === "object" && value !== null) {
    // A list is walked as an object whose names are the indexes.
    const one = value as JsonObject;
    visit(one);
    Object.values(one).forEach((inner) => walkObjects(inner, visit));
  }
}

function referenceTo(name: string): string {
  return `#/components/schemas/${name}`;
}
