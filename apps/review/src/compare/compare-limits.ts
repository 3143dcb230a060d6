import type { SchemaWalk } from "./schema-walk.ts";
import { canonical, isNumber, keysOf, type Json, type JsonObject } from "./json.ts";
import type { Pair } from "./scope.ts";
import type { SchemaView } from "./view-schema.ts";

type Limit = { keyword: string; value: Json };

/** The two ways to write a bound count as one limit. */
const bounds: readonly (readonly [string, string])[] = [
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
];

/** Bounds, patterns and formats. A tighter limit is harder for senders, a wider one for readers. */
export function compareLimits(walk: SchemaWalk, { base, head }: Pair<SchemaView>): void {
  const singles = keysOf(base.limits, head.limits).filter((keyword) => !bounds.flat().includes(keyword));
  for (const keywords of [...bounds, ...singles.map((keyword) => [keyword])]) {
    compareLimit(walk, { base: tightestOf(base.limits, keywords), head: tightestOf(head.limits, keywords) });
  }
  compareText(walk, "pattern", { base: base.patterns, head: head.patterns });
  compareText(walk, "format", { base: base.formats, head: head.formats });
}

function tightestOf(limits: JsonObject, keywords: readonly string[]): Limit | undefined {
  return keywords
    .flatMap((keyword) => (limits[keyword] === undefined ? [] : [{ keyword, value: limits[keyword] }]))
    .reduce<Limit | undefined>((known, next) => (known && !tightens(known, next) ? known : next), undefined);
}

function compareLimit({ tell }: SchemaWalk, { base, head }: Pair<Limit | undefined>): void {
  const keyword = (head ?? base)?.keyword ?? "";
  if (canonical(base) === canonical(head)) {
    return;
  }
  const change = {
    before: nameLimit(base, keyword),
    after: nameLimit(head, keyword),
    value: `${keyword}=${canonical(head?.value)}`,
  };
  const isTighter = base === undefined || (head !== undefined && tightens(base, head));
  const isWider = head === undefined || (base !== undefined && tightens(head, base));
  // A multiple of 2 and a multiple of 3 do not include each other, so both changes are reported.
  if (isTighter || !isWider) {
    tell("limit-tightened", change);
  }
  if (isWider || !isTighter) {
    tell("limit-relaxed", change);
  }
}

function tightens(known: Limit, next: Limit): boolean {
  const [before, after] = [known.value, next.value];
  if (!isNumber(before) || !isNumber(after)) {
    return after === true;
  }
  if (next.keyword === "multipleOf") {
    return Number.isInteger(Number(after) / Number(before));
  }
  if (before === after) {
    return next.keyword.startsWith("exclusive");
  }
  return /max/i.test(next.keyword) ? after < before : after > before;
}

function nameLimit(limit: Limit | undefined, keyword: string): string {
  return limit === undefined ? `no ${keyword}` : `${limit.keyword} ${canonical(limit.value)}`;
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
