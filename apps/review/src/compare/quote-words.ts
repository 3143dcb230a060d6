import { canonical, keysOf, textOf, type Json, type JsonObject } from "./json.ts";
import type { Pair } from "./scope.ts";

/** The longest quotation, and the text shown on each side of a difference, in characters. */
const maxLength = 90;
const context = 24;

/** Quotes the named texts that differ, around their differences. Returns null when all are equal. */
export function quoteWords({ base, head }: Pair<JsonObject>): { before: string; after: string } | null {
  const quotes = keysOf(base, head)
    .map((key) => ({ key, texts: { base: print(base[key]), head: print(head[key]) } }))
    .filter(({ texts }) => texts.base !== texts.head)
    .map(({ key, texts }) => ({ key, ...quoteDifference(texts) }));
  return quotes.length === 0
    ? null
    : {
        before: quotes.map(({ key, before }) => `${key} ${before}`).join(", "),
        after: quotes.map(({ key, after }) => `${key} ${after}`).join(", "),
      };
}

function print(value: Json | undefined): string | null {
  return value === undefined ? null : (textOf(value) ?? canonical(value));
}

/** Quotes the part in which two texts differ, with a few characters around it. */
function quoteDifference({ base, head }: Pair<string | null>): { before: string; after: string } {
  if (base === null || head === null) {
    return { before: quote(base), after: quote(head) };
  }
  const shortest = Math.min(base.length, head.length);
  let start = 0;
  while (start < shortest && base[start] === head[start]) {
    start++;
  }
  let end = 0;
  while (end < shortest - start && base.at(-1 - end) === head.at(-1 - end)) {
    end++;
  }
  return { before: quote(base, start, end), after: quote(head, start, end) };
}

function quote(text: string | null, start = 0, end = 0): string {
  if (text === null) {
    return "(none)";
  }
  const from = start <= context ? 0 : start - context;
  const until = end <= context ? text.length : text.length - end + context;
  const part = text.slice(from, Math.min(until, from + maxLength));
  return `"${from > 0 ? "..." : ""}${part}${from + part.length < text.length ? "..." : ""}"`;
}
