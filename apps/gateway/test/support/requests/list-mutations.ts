import fc from "fast-check";
import { fittingLeaf } from "./fitting-leaf.ts";
import { oneMember, type Change, type Mutation } from "./mutation.ts";
import type { Place } from "./places.ts";
import type { Resolve } from "./request-schema.ts";
import { isMap } from "./structure-mutations.ts";

/** Mutations of lists, and of maps, whose members callers name. */
export const listMutations: readonly Mutation[] = [
  {
    name: "a list with as many entries as it may have, or as few",
    outcome: "approved",
    changes: (place, resolve) =>
      lists(place, resolve, ({ minItems = 0, maxItems = 3, items = {} }) => [
        minItems,
        Math.min(maxItems, resolve(items).enum?.length ?? maxItems),
      ]),
  },
  {
    name: "a list with one entry too many, or too few",
    outcome: "refused",
    changes: (place, resolve) =>
      lists(place, resolve, ({ minItems = 0, maxItems }) => [
        ...(minItems > 0 ? [minItems - 1] : []),
        ...(maxItems === undefined ? [] : [maxItems + 1]),
      ]),
  },
  {
    name: "a list that names an entry twice",
    outcome: "refused",
    changes: ({ schema, value }) =>
      schema.uniqueItems === true && Array.isArray(value)
        ? fc.constant({ values: [[...value.slice(0, 1), ...value.slice(0, 1)]] })
        : null,
  },
  {
    name: "a map with as many members as it may have, or with none",
    outcome: "approved",
    changes: (place) => (isMap(place) ? fc.constantFrom(0, most(place)).map((count) => membersOf(place, count)) : null),
  },
  {
    name: "a map with one member too many",
    outcome: "refused",
    changes: (place) => (isMap(place) ? fc.constant(membersOf(place, most(place) + 1)) : null),
  },
  {
    name: "a member of a map with a name that may be given",
    outcome: "approved",
    changes: (place) => (isMap(place) ? oneMember(goodNames, firstValueOf(place)) : null),
  },
  {
    name: "a member of a map with a name that may not be given",
    outcome: "refused",
    changes: (place) => (isMap(place) ? oneMember(badNames, firstValueOf(place)) : null),
  },
];

/** The document's `Metadata` takes names of a letter and at most 39 letters, digits and marks. */
const goodNames = ["k".repeat(40), "a", "Z9_.-", "constructor", "toString", "hasOwnProperty", "valueOf"];
const badNames = [
  "",
  "k".repeat(41),
  "k".repeat(10_000),
  "9k",
  "cost center",
  "__proto__",
  "ä",
  "a\0",
  "\ud800",
  "a\n",
];

function lists(
  { schema, value }: Place,
  resolve: Resolve,
  lengthsOf: (schema: Place["schema"]) => number[],
): fc.Arbitrary<Change> | null {
  const lengths = schema.type === "array" ? lengthsOf(schema) : [];
  const [first] = Array.isArray(value) ? (value as unknown[]) : [];
  const arbitraries = lengths.map((length) => entries(resolve(schema.items ?? {}), { length, first }));
  return arbitraries.length > 0 ? fc.oneof(...arbitraries).map((list) => ({ values: [list] })) : null;
}

/** Makes `length` entries that fit. They differ, unless the schema has fewer values than that. */
function entries(
  items: Place["schema"],
  { length, first }: { length: number; first: unknown },
): fc.Arbitrary<unknown[]> {
  const all = items.enum ?? [];
  if (items.type === "object") {
    return fc.constant(Array.from({ length }, () => first));
  }
  if (all.length === 0) {
    return fc.uniqueArray(fittingLeaf(items), { minLength: length, maxLength: length, size: "max" });
  }
  return length <= all.length
    ? fc.shuffledSubarray(all, { minLength: length, maxLength: length })
    : fc.constant(Array.from({ length }, (_, index) => all[index] ?? all[0]));
}

function most({ schema: { maxProperties = 10 } }: Place): number {
  return maxProperties;
}

function membersOf(place: Place, count: number): Change {
  const members = Array.from({ length: count }, (_, index) => [`k${index}`, firstValueOf(place)]);
  return { values: [Object.fromEntries(members)] };
}

function firstValueOf({ value }: Place): unknown {
  return Object.values((value ?? {}) as object)[0] ?? "v";
}
