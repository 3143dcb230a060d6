import fc from "fast-check";
import type { Schema } from "./request-schema.ts";

/** Values that fit a schema of a string, a number, a boolean or null. A schema without a type gets any JSON. */
export function fittingLeaf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined || schema.enum) {
    return fc.constantFrom(...(schema.enum ?? [schema.const]));
  }
  switch (schema.type) {
    case "string":
      return fittingText(schema);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1_000_000 });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function fittingText({ pattern, format, minLength = 0, maxLength = 1000 }: Schema): fc.Arbitrary<string> {
  if (format === "date-time") {
    return fc
      .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  if (pattern === undefined) {
    return fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 50) }).filter(isStorable);
  }
  const fits = new RegExp(pattern, "u");
  // A string that is too short is repeated.
  const longEnough = (text: string): string =>
    text.repeat(Math.max(1, Math.ceil(minLength / Math.max(1, text.length))));
  return fc
    .stringMatching(fits)
    .map((text) => longEnough(text).slice(0, Math.max(text.length, maxLength)))
    .filter((text) => fits.test(text) && isStorable(text));
}

/** Postgres holds no NUL and no half of a surrogate pair, and no schema says so. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
