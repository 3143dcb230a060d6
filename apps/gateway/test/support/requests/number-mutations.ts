import fc from "fast-check";
import { fittingLeaf } from "./fitting-leaf.ts";
import { oneOf, type Mutation } from "./mutation.ts";
import type { Place } from "./places.ts";

/** Strings that JavaScript or a person may read as a whole number, and the document does not. */
const oddTexts = ["0x10", "1e1", "5.0", " 5", "5 ", "+5", "00", "05", "1_000", "-0", "Infinity", "1e999", "５", "5n"];
const otherBooleans = ["yes", "TRUE", "True", "1", "0", "on", "null", "[]", "true ", "falsefalse"];

/** Mutations of whole numbers, and of true and false. */
export const numberMutations: readonly Mutation[] = [
  {
    name: "a number that fits",
    outcome: "approved",
    changes: (place) =>
      isNumber(place) ? fittingLeaf(place.schema).map((value) => ({ values: [written(place, value)] })) : null,
  },
  {
    name: "the greatest or least number",
    outcome: "approved",
    changes: (place) => (isNumber(place) ? oneOf(boundsOf(place).map((value) => written(place, value))) : null),
  },
  {
    name: "a number outside of the limits",
    outcome: "refused",
    changes: (place) => (isNumber(place) ? oneOf(outside(place).map((value) => written(place, value))) : null),
  },
  {
    name: "a number that is not whole, or a text that looks like one",
    outcome: "refused",
    changes: (place) => {
      const { minimum = 0 } = place.schema;
      const inBody = [minimum + 0.5, 1.5, "100", String(minimum), Infinity, -Infinity];
      return isNumber(place) ? oneOf(place.in === "body" ? inBody : [...oddTexts, "1.5", "ten"]) : null;
    },
  },
  {
    name: "true or false",
    outcome: "approved",
    changes: (place) =>
      place.schema.type === "boolean" ? fc.boolean().map((value) => ({ values: [written(place, value)] })) : null,
  },
  {
    name: "a text that is neither true nor false",
    outcome: "refused",
    changes: ({ schema, in: kind }) => (schema.type === "boolean" && kind !== "body" ? oneOf(otherBooleans) : null),
  },
];

function isNumber({ schema: { type } }: Place): boolean {
  return type === "integer";
}

function boundsOf({ schema: { minimum, maximum } }: Place): number[] {
  return [minimum, maximum].filter((bound) => bound !== undefined);
}

/** Numbers one step outside of each limit, and far outside of it. */
function outside({ schema: { minimum, maximum } }: Place): number[] {
  return [
    ...(minimum === undefined ? [] : [minimum - 1, -(2 ** 53)]),
    ...(maximum === undefined ? [] : [maximum + 1, 2 ** 53, 2 ** 63]),
  ];
}

function written({ in: kind }: Place, value: unknown): unknown {
  return kind === "body" ? value : String(value);
}
