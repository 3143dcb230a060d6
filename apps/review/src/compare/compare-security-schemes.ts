import { canonical, keysOf, objectOf, omit, pick, type JsonObject } from "./json.ts";
import { quoteWords } from "./quote-words.ts";
import { resolve } from "./resolve.ts";
import type { Pair, Scope } from "./scope.ts";

export function compareSecuritySchemes(scope: Scope): void {
  const base = schemesOf(scope.documents.base);
  const head = underOldNames(base, schemesOf(scope.documents.head));
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

/** The name of a scheme travels nowhere: of equal content under another name, it is the same. */
function underOldNames(base: JsonObject, head: JsonObject): JsonObject {
  const names = oldNamesOf(base, head);
  return Object.fromEntries(Object.entries(head).map(([name, scheme]) => [names.get(name) ?? name, scheme]));
}

export function oldNamesOf(base: JsonObject, head: JsonObject): ReadonlyMap<string, string> {
  const gone = Object.keys(base).filter((name) => head[name] === undefined);
  const fresh = new Set(Object.keys(head).filter((name) => base[name] === undefined));
  const names = new Map<string, string>();
  for (const name of gone) {
    const twin = [...fresh].find((one) => canonical(head[one]) === canonical(base[name]));
    if (twin !== undefined && fresh.delete(twin)) {
      names.set(twin, name);
    }
  }
  return names;
}

export function schemesOf(document: JsonObject): JsonObject {
  return objectOf(objectOf(document["components"])["securitySchemes"]);
}

function compareScheme(scope: Scope, anchor: string, { base, head }: Pair<JsonObject>): void {
  tellWords(scope, anchor, { base: pick(base, words), head: pick(head, words) });
  tellChanged(scope, anchor, {
    base: withoutCase(omit(base, [...words, "flows"])),
    head: withoutCase(omit(head, [...words, "flows"])),
  });
}

const words: readonly string[] = ["description", "bearerFormat"];

/** Names of headers, and those of HTTP's own schemes, have no case. */
function withoutCase(scheme: JsonObject): JsonObject {
  const keys = scheme["in"] === "header" ? ["name"] : ["scheme"];
  const lower = keys.flatMap((key) => (typeof scheme[key] === "string" ? [[key, scheme[key].toLowerCase()]] : []));
  return { ...scheme, ...Object.fromEntries(lower) };
}

function compareFlows(scope: Scope, name: string, flows: Pair<JsonObject>): void {
  for (const flow of keysOf(flows.base, flows.head)) {
    const anchor = `${name}.${flow}`;
    if (flows.base[flow] === undefined || flows.head[flow] === undefined) {
      scope.tell({ rule: flows.head[flow] === undefined ? "scheme-removed" : "scheme-added", anchor });
      continue;
    }
    const pair = { base: objectOf(flows.base[flow]), head: objectOf(flows.head[flow]) };
    const added = pair.base["refreshUrl"] === undefined ? ["refreshUrl"] : [];
    tellWords(scope, anchor, { base: pick(pair.base, added), head: pick(pair.head, added) });
    tellChanged(scope, anchor, {
      base: omit(pair.base, ["scopes", ...added]),
      head: omit(pair.head, ["scopes", ...added]),
    });
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
