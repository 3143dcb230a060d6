import { canonical, keysOf, objectOf, omit, pick, type JsonObject } from "./json.ts";
import { quoteWords } from "./quote-words.ts";
import { resolve } from "./resolve.ts";
import type { Pair, Scope } from "./scope.ts";

/** How credentials are sent, and where they come from. */
export function compareSecuritySchemes(scope: Scope): void {
  const base = schemesOf(scope.documents.base);
  const head = schemesOf(scope.documents.head);
  for (const name of keysOf(base, head)) {
    if (base[name] === undefined || head[name] === undefined) {
      scope.tell({ rule: head[name] === undefined ? "scheme-removed" : "scheme-added", anchor: name });
      continue;
    }
    const pair = {
      base: resolve(scope.documents.base, base[name]).value,
      head: resolve(scope.documents.head, head[name]).value,
    };
    compareScheme(scope, name, pair);
    compareFlows(scope, name, { base: objectOf(pair.base["flows"]), head: objectOf(pair.head["flows"]) });
  }
}

function schemesOf(document: JsonObject): JsonObject {
  return objectOf(objectOf(document["components"])["securitySchemes"]);
}

function compareScheme(scope: Scope, anchor: string, { base, head }: Pair<JsonObject>): void {
  tellWords(scope, anchor, { base: pick(base, ["description"]), head: pick(head, ["description"]) });
  tellChanged(scope, anchor, {
    base: omit(base, ["description", "flows"]),
    head: omit(head, ["description", "flows"]),
  });
}

function compareFlows(scope: Scope, name: string, flows: Pair<JsonObject>): void {
  for (const flow of keysOf(flows.base, flows.head)) {
    const anchor = `${name}.${flow}`;
    if (flows.base[flow] === undefined || flows.head[flow] === undefined) {
      scope.tell({ rule: flows.head[flow] === undefined ? "scheme-removed" : "scheme-added", anchor });
      continue;
    }
    const pair = { base: objectOf(flows.base[flow]), head: objectOf(flows.head[flow]) };
    tellChanged(scope, anchor, { base: omit(pair.base, ["scopes"]), head: omit(pair.head, ["scopes"]) });
    compareScopes(scope, anchor, { base: objectOf(pair.base["scopes"]), head: objectOf(pair.head["scopes"]) });
  }
}

function compareScopes(scope: Scope, anchor: string, { base, head }: Pair<JsonObject>): void {
  for (const value of keysOf(base, head)) {
    if (base[value] === undefined || head[value] === undefined) {
      scope.tell({ rule: head[value] === undefined ? "scope-removed" : "scope-added", anchor, value });
    } else if (base[value] !== head[value]) {
      tellWords(scope, anchor, { base: pick(base, [value]), head: pick(head, [value]) });
    }
  }
}

function tellWords(scope: Scope, anchor: string, pair: Pair<JsonObject>): void {
  const words = quoteWords(pair);
  if (words !== null) {
    scope.tell({ rule: "document-text-changed", anchor, ...words });
  }
}

function tellChanged(scope: Scope, anchor: string, { base, head }: Pair<JsonObject>): void {
  for (const value of keysOf(base, head)) {
    const [before, after] = [canonical(base[value]), canonical(head[value])];
    if (before !== after) {
      scope.tell({ rule: "scheme-changed", anchor, value, before, after });
    }
  }
}
