import { canonical, keysOf, objectOf, omit, pick, type JsonObject } from "./json.ts";
import { quoteWords } from "./quote-words.ts";
import { dereference } from "./resolve.ts";
import type { Pair, Scope } from "./scope.ts";

type Where = { anchor: string; at?: string };

/** Words and examples: one change for all of them together. */
export function compareTexts(scope: Scope, values: Pair<JsonObject>, keys: readonly string[], where: Where): void {
  const words = quoteWords({
    base: objectOf(dereference(scope.documents.base, pick(values.base, keys))),
    head: objectOf(dereference(scope.documents.head, pick(values.head, keys))),
  });
  if (words !== null) {
    scope.tell({ rule: "operation-text-changed", ...where, ...words });
  }
}

/** The fields that no rule judges, one change each: what this review does not know must not go unseen. */
export function compareRest(scope: Scope, values: Pair<JsonObject>, judged: readonly string[], where: Where): void {
  const base = omit(values.base, judged);
  const head = omit(values.head, judged);
  for (const key of keysOf(base, head)) {
    const before = canonical(base[key] && dereference(scope.documents.base, base[key]));
    const after = canonical(head[key] && dereference(scope.documents.head, head[key]));
    if (before !== after) {
      scope.tell({ rule: "operation-policy-changed", ...where, value: key, before, after });
    }
  }
}
