import type { Change } from "./change.ts";
import { compareOperations } from "./compare-operations.ts";
import { compareSchemaNames } from "./compare-schema-names.ts";
import { compareSecuritySchemes } from "./compare-security-schemes.ts";
import { compareServers } from "./compare-servers.ts";
import { compareStateMachines } from "./compare-state-machines.ts";
import { canonical, keysOf, objectOf, omit, pick, type JsonObject } from "./json.ts";
import { quoteWords } from "./quote-words.ts";
import { readOperations } from "./read-operations.ts";
import { createSide, type Side } from "./side.ts";
import { createScope, type Pair, type Scope } from "./scope.ts";

/** Documents by file name. */
export type Documents = Readonly<Record<string, JsonObject>>;

const texts: readonly string[] = ["info", "tags", "externalDocs", "x-tagGroups"];
const judged: readonly string[] = [...texts, "openapi", ...["paths", "webhooks", "components", "servers", "security"]];

/** All changes from one set of documents to another. A document may be new or gone. */
export function compareDocuments(base: Documents, head: Documents): Change[] {
  return [...new Set([...Object.keys(base), ...Object.keys(head)])].flatMap((file) => {
    const [before, after] = [base[file], head[file]];
    if (before && after) {
      return compareDocument({ base: before, head: after }, file);
    }
    const changes: Change[] = [];
    const scope = scopeOf(sidesOf({ base: before ?? {}, head: after ?? {} }), file, changes);
    if (after) {
      scope.tell({ rule: "document-added", anchor: file, after: countOperations(after) });
    } else if (before) {
      scope.tell({ rule: "document-removed", anchor: file, before: countOperations(before) });
    }
    return changes;
  });
}

function compareDocument(documents: Pair<JsonObject>, file: string): Change[] {
  const changes: Change[] = [];
  const sides = sidesOf(documents);
  const scope = scopeOf(sides, file, changes);
  compareServers(scope);
  compareSecuritySchemes(scope);
  compareStateMachines(scope);
  compareSchemaNames(scope);
  changes.push(...compareOperations(sides, file, "paths"), ...compareOperations(sides, file, "webhooks"));
  compareTop(scope);
  return changes;
}

function compareTop(scope: Scope): void {
  const { base, head } = scope.documents;
  const words = quoteWords({ base: wordsOf(base), head: wordsOf(head) });
  if (words !== null) {
    scope.tell({ rule: "document-text-changed", anchor: scope.place.name, ...words });
  }
  for (const key of keysOf(omit(base, judged), omit(head, judged))) {
    const [before, after] = [canonical(base[key]), canonical(head[key])];
    if (before !== after) {
      scope.tell({ rule: "document-policy-changed", anchor: `${scope.place.name}.${key}`, value: key, before, after });
    }
  }
}

/** Separates the fields of `info`, so that only the changed one is quoted. */
function wordsOf(document: JsonObject): JsonObject {
  return { ...objectOf(document["info"]), ...pick(document, ["openapi", ...texts.slice(1)]) };
}

function countOperations(document: JsonObject): string {
  const operations = readOperations(document, "paths").size;
  const events = readOperations(document, "webhooks").size;
  return `${operations} operations and ${events} types of events`;
}

function sidesOf({ base, head }: Pair<JsonObject>): Pair<Side> {
  return { base: createSide(base), head: createSide(head) };
}

function scopeOf(sides: Pair<Side>, file: string, changes: Change[]): Scope {
  return createScope(sides, { document: file, kind: "document", name: file, address: "", at: "" }, changes);
}
