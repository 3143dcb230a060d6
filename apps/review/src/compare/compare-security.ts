import { listOf, objectOf, textsOf, type Json, type JsonObject } from "./json.ts";
import { oldNamesOf, schemesOf } from "./compare-security-schemes.ts";
import type { Pair, Scope } from "./scope.ts";

/** Each permission includes those before it. */
const permissions: readonly string[] = ["read", "write", "admin"];

/** The ways to authenticate, each with the roles or scopes that it needs. `no credential` is one of them. */
type Ways = ReadonlyMap<string, readonly string[]>;

const nobody = "no credential";

/** Credentials that may call an operation. Requiring more breaks callers; requiring less is reported separately. */
export function compareSecurity(scope: Scope, operations: Pair<JsonObject>): void {
  const base = readWays(operations.base["security"] ?? scope.documents.base["security"]);
  const names = oldNamesOf(schemesOf(scope.documents.base), schemesOf(scope.documents.head));
  const head = readWays(operations.head["security"] ?? scope.documents.head["security"], names);
  const anchor = scope.place.name;
  for (const [way, needed] of base) {
    const next = head.get(way);
    if (next === undefined && head.has(nobody)) {
      continue;
    }
    if (next === undefined) {
      scope.tell({ rule: "credential-refused", anchor, value: way });
    } else {
      compareNeeded(scope, way, { base: needed, head: next });
    }
  }
  for (const way of head.keys()) {
    if (!base.has(way) && !base.has(nobody)) {
      scope.tell({ rule: "credential-accepted", anchor, value: way });
    }
  }
}

/** Needs of one credential. The three permissions include each other; scopes with other names do not. */
function compareNeeded(scope: Scope, way: string, { base, head }: Pair<readonly string[]>): void {
  const [before, after] = [nameNeeded(base), nameNeeded(head)];
  if (before === after) {
    return;
  }
  const change = { anchor: scope.place.name, at: way, value: `${before}>${after}`, before, after };
  const isMore = !holds(base, head);
  const isLess = !holds(head, base);
  if (isMore || !isLess) {
    scope.tell({ rule: "permission-raised", ...change });
  }
  if (isLess) {
    scope.tell({ rule: "permission-lowered", ...change });
  }
}

function holds(held: readonly string[], needed: readonly string[]): boolean {
  const rank = Math.max(...held.map((one) => permissions.indexOf(one)));
  return needed.every((one) => held.includes(one) || (permissions.includes(one) && permissions.indexOf(one) <= rank));
}

function nameNeeded(needed: readonly string[]): string {
  return needed.length === 0 ? "nothing" : needed.toSorted().join(" and ");
}

function readWays(security: Json | undefined, oldNames: ReadonlyMap<string, string> = new Map()): Ways {
  const requirements = listOf(security).map((one) =>
    Object.fromEntries(Object.entries(objectOf(one)).map(([name, needed]) => [oldNames.get(name) ?? name, needed])),
  );
  const list = requirements.length === 0 ? [{}] : requirements;
  return new Map(list.map((requirement) => [nameWay(requirement), Object.values(requirement).flatMap(textsOf)]));
}

function nameWay(requirement: JsonObject): string {
  return Object.keys(requirement).sort().join(" and ") || nobody;
}
