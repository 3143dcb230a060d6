import { fittingLeaf } from "./fitting-leaf.ts";
import { oneOf, type Mutation } from "./mutation.ts";
import type { Place } from "./places.ts";
import type { Schema } from "./request-schema.ts";

const surrogates = ["a\ud800b", "\udc00", "\udc00\ud800", "\ud800"];
const tooLong = ["a", "0", "💥", "A-"].map((unit) => unit.repeat(10_000));

const badMoments = [
  ...["yesterday", "now", "infinity", "1767225600000", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01 12:00"],
  ...["2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00+24:00"],
  ...["2026-01-01T00:00:00Z\n", "-002026-01-01T00:00:00Z", "2025-02-29T00:00:00Z", "2026-12-31T23:58:60Z"],
];
/** Moments with other offsets, with other precision, and at both ends of time. */
const goodMoments = [
  ...["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+23:59", "2024-02-29T00:00:00Z"],
  ...["2026-01-01T00:00:00.123456789Z", "2026-01-01T01:00:00-08:00"],
];

/** Mutations of texts in the body, the query, the path and the headers. */
export const textMutations: readonly Mutation[] = [
  {
    name: "a text that fits",
    outcome: "approved",
    changes: ({ schema }) =>
      schema.type === "string"
        ? fittingLeaf(schema)
            .filter((text) => fitsText(schema, String(text)))
            .map((text) => ({ values: [text] }))
        : null,
  },
  {
    name: "NUL",
    outcome: "unstorable",
    changes: (place) => (isText(place) ? oneOf(["\0", "a\0b", `${String(place.value)}\0`]) : null),
  },
  {
    name: "half of a surrogate pair",
    outcome: "unstorable",
    // Percent-encoding cannot write it, and a header is made of bytes.
    changes: (place) => (isText(place) && place.in === "body" ? oneOf(surrogates) : null),
  },
  {
    name: "10,000 characters",
    outcome: "refused",
    changes: (place) => (isText(place) ? oneOf(tooLong) : null),
  },
  {
    name: "an id that is malformed, or of something else",
    outcome: "refused",
    changes: ({ schema }) => oneOf(badIds(schema)),
  },
  {
    name: "none of the values",
    outcome: "refused",
    changes: ({ schema: { enum: values = [] } }) =>
      oneOf(values.flatMap(nearly).filter((value) => !values.includes(value))),
  },
  {
    name: "a text that is no moment",
    outcome: "refused",
    changes: ({ schema: { format } }) => (format === "date-time" ? oneOf(badMoments) : null),
  },
  {
    name: "a moment written in another way",
    outcome: "approved",
    changes: ({ schema: { format } }) => (format === "date-time" ? oneOf(goodMoments) : null),
  },
  {
    name: "a text of the greatest or least length",
    outcome: "approved",
    changes: ({ schema, value }) => oneOf(lengthsInside(schema).flatMap((length) => textsOf(schema, length, value))),
  },
  {
    name: "a text one character too long or too short",
    outcome: "refused",
    changes: ({ schema, value }) =>
      oneOf(lengthsOutside(schema).flatMap((length) => textsOutside(schema, length, value))),
  },
];

function isText({ schema: { type } }: Place): boolean {
  return type === "string";
}

/** Applies the rules of JSON Schema to a string without the validator. Lengths count code points. */
function fitsText({ pattern = "", minLength = 0, maxLength = Infinity }: Schema, text: string): boolean {
  const length = lengthOf(text);
  return length >= minLength && length <= maxLength && new RegExp(pattern, "u").test(text);
}

/** Prefers texts whose length alone is wrong. */
function textsOutside(schema: Schema, length: number, example: unknown): string[] {
  const texts = textsOf({ ...schema, minLength: 0, maxLength: length }, length, example);
  return texts.length > 0 ? texts : candidatesOf(length, String(example));
}

export function lengthsInside({ type, minLength, maxLength }: Schema): number[] {
  return type === "string" ? [minLength, maxLength].filter((length) => length !== undefined) : [];
}

function lengthsOutside({ type, minLength = 0, maxLength }: Schema): number[] {
  const outside = [...(minLength > 0 ? [minLength - 1] : []), ...(maxLength === undefined ? [] : [maxLength + 1])];
  return type === "string" ? outside : [];
}

/** Strings of that length that fit: a letter or an emoji repeated, also after the example, or after the `@` in it. */
export function textsOf(schema: Schema, length: number, example: unknown): string[] {
  return candidatesOf(length, String(example ?? schema.examples?.[0])).filter((text) => fitsText(schema, text));
}

function candidatesOf(length: number, example: string): string[] {
  const candidates = ["a", "A", "0", "💥", "a-", "a."].flatMap((unit) => {
    const filler = unit.repeat(length);
    return [filler, `${example}${filler}`].map((text) => Array.from(text).slice(0, length).join(""));
  });
  const inDomain = example.replace("@", `@${"a.".repeat(length).slice(0, Math.max(0, length - example.length))}`);
  return [...new Set([...candidates, inDomain])].filter((text) => lengthOf(text) === length);
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function badIds({ pattern = "" }: Schema): string[] {
  const [, prefix] = /^\^(?:\(\?:)?([a-z]{3})(?:\|[a-z|]+\))?_\[0-7\]/.exec(pattern) ?? [];
  return prefix === undefined
    ? []
    : [
        ...["nonsense", "zzz_01kjpx7nkpf1qb30s1qgt1r7tq", "' or 1=1--", "", `${prefix}_`, "a".repeat(10_000)],
        `${prefix.toUpperCase()}_01KJPX7NKPF1QB30S1QGT1R7TQ`,
        // More than 128 bits, a letter outside of the alphabet, and one character more or less.
        ...["81kjpx7nkpf1qb30s1qgt1r7tq", "01kjpx7nkpf1qb30s1qgt1r7tu"].map((rest) => `${prefix}_${rest}`),
        ...["01kjpx7nkpf1qb30s1qgt1r7t", "01kjpx7nkpf1qb30s1qgt1r7tqq"].map((rest) => `${prefix}_${rest}`),
        ...["\0", "\n", "/", " "].map((end) => `${prefix}_01kjpx7nkpf1qb30s1qgt1r7t${end}`),
        ...["\0", "\n", "/", " "].map((end) => `${prefix}_01kjpx7nkpf1qb30s1qgt1r7tq${end}`),
      ];
}

function nearly(value: unknown): string[] {
  const text = String(value);
  return ["surplus", "", `${text} `, ` ${text}`, `${text}\n`, text.toUpperCase(), text.toLowerCase(), text.slice(1)];
}
