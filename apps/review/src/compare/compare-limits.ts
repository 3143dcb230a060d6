import type { SchemaWalk } from "./compare-schema.ts";
import { canonical, keysOf, type Json } from "./json.ts";
import type { Pair } from "./scope.ts";
import type { SchemaView } from "./view-schema.ts";

/** Bounds, patterns and formats: tighter is harder on who sends, wider is harder on who reads. */
export function compareLimits(walk: SchemaWalk, { base, head }: Pair<SchemaView>): void {
  for (const keyword of keysOf(base.limits, head.limits)) {
    compareLimit(walk, keyword, { base: base.limits[keyword], head: head.limits[keyword] });
  }
  compareText(walk, "pattern", { base: base.patterns, head: head.patterns });
  compareText(walk, "format", { base: base.formats, head: head.formats });
}

function compareLimit({ tell }: SchemaWalk, keyword: string, { base, head }: Pair): void {
  if (canonical(base) === canonical(head)) {
    return;
  }
  const change = {
    before: nameLimit(keyword, base),
    after: nameLimit(keyword, head),
    value: `${keyword}=${canonical(head)}`,
  };
  const isTighter = base === undefined || (head !== undefined && tightens(keyword, base, head));
  const isWider = head === undefined || (base !== undefined && tightens(keyword, head, base));
  // Of multiples of 2 and of 3 neither holds the other: both are told.
  if (isTighter || !isWider) {
    tell("limit-tightened", change);
  }
  if (isWider || !isTighter) {
    tell("limit-relaxed", change);
  }
}

/** Whether all that passes the limit `next` passes `known`. */
function tightens(keyword: string, known: Json, next: Json): boolean {
  if (typeof known !== "number" || typeof next !== "number") {
    return next === true;
  }
  if (keyword === "multipleOf") {
    return Number.isInteger(next / known);
  }
  return /max/i.test(keyword) ? next < known : next > known;
}

function nameLimit(keyword: string, value: Json | undefined): string {
  return value === undefined ? `no ${keyword}` : `${keyword} ${canonical(value)}`;
}

function compareText({ tell }: SchemaWalk, keyword: "pattern" | "format", { base, head }: Pair<string>): void {
  if (base === head) {
    return;
  }
  if (base === "") {
    tell(`${keyword}-added`, { after: head });
  } else if (head === "") {
    tell(`${keyword}-removed`, { before: base });
  } else {
    tell(`${keyword}-changed`, { before: base, after: head });
  }
}
