import { canonical, isObject, keysOf, listOf, objectOf, omit, textOf, textsOf, type JsonObject } from "./json.ts";
import type { Pair, Scope } from "./scope.ts";

/** The addresses of a document, by their text, and the variables in them. */
export function compareServers(scope: Scope): void {
  const base = readServers(scope.documents.base);
  const head = readServers(scope.documents.head);
  for (const url of new Set([...base.keys(), ...head.keys()])) {
    const [before, after] = [base.get(url), head.get(url)];
    if (before && after) {
      compareServer(scope, url, { base: before, head: after });
    } else {
      scope.tell({ rule: after ? "server-added" : "server-removed", anchor: url });
    }
  }
}

function readServers(document: JsonObject): Map<string, JsonObject> {
  const servers = listOf(document["servers"]).filter(isObject);
  return new Map(servers.map((server) => [textOf(server["url"]) ?? "", server]));
}

function compareServer(scope: Scope, url: string, { base, head }: Pair<JsonObject>): void {
  const variables = { base: objectOf(base["variables"]), head: objectOf(head["variables"]) };
  for (const name of keysOf(variables.base, variables.head)) {
    compareVariable(scope, `${url}.${name}`, {
      base: objectOf(variables.base[name]),
      head: objectOf(variables.head[name]),
    });
  }
  const rest = { base: omit(base, ["variables"]), head: omit(head, ["variables"]) };
  if (canonical(rest.base) !== canonical(rest.head)) {
    scope.tell({ rule: "document-text-changed", anchor: url });
  }
}

function compareVariable(scope: Scope, anchor: string, { base, head }: Pair<JsonObject>): void {
  const [before, after] = [canonical(base["default"]), canonical(head["default"])];
  if (before !== after) {
    scope.tell({ rule: "server-changed", anchor, value: "default", before, after });
  }
  const values = { base: new Set(textsOf(base["enum"])), head: new Set(textsOf(head["enum"])) };
  values.base.difference(values.head).forEach((value) => scope.tell({ rule: "server-value-removed", anchor, value }));
  values.head.difference(values.base).forEach((value) => scope.tell({ rule: "server-value-added", anchor, value }));
  const rest = { base: omit(base, ["default", "enum"]), head: omit(head, ["default", "enum"]) };
  if (canonical(rest.base) !== canonical(rest.head)) {
    scope.tell({ rule: "document-text-changed", anchor });
  }
}
