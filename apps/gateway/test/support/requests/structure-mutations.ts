import fc from "fast-check";
import { oneOf, type Mutation } from "./mutation.ts";
import type { Place } from "./places.ts";

const json = [null, true, false, 5, -1, 1.5, "text", "5", "", [], [{}], {}];

/** Names of fields that answers have, that every JavaScript object has, or that look like a path. */
const unknownNames = [
  ...["surplus", "accountId", "livemode", "secret", "status", "id", "createdAt"],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"],
  ...["x".repeat(10_000), "a.b", "a/b", "~0", "$ref", "Name", " name"],
];

/** Mutations of objects and of their members. */
export const structureMutations: readonly Mutation[] = [
  {
    name: "a value of another type",
    outcome: "refused",
    changes: (place) => (place.in === "body" ? oneOf(json.filter((value) => !isOfType(value, place))) : null),
  },
  {
    name: "null, where the document allows it",
    outcome: "approved",
    changes: ({ isNullable }) => (isNullable ? oneOf([null]) : null),
  },
  {
    name: "left out, though it is required",
    outcome: "refused",
    changes: (place) => (place.presence === "required" && place.in !== "params" ? leftOut : null),
  },
  {
    name: "left out, for it is optional",
    outcome: "approved",
    changes: ({ presence }) => (presence === "optional" ? leftOut : null),
  },
  {
    name: "an unknown field",
    outcome: "refused",
    changes: (place) => (isMap(place) || place.schema.type !== "object" ? null : unknownMember(place)),
  },
  {
    name: "an object with fewer members than it needs",
    outcome: "refused",
    changes: ({ schema: { minProperties = 0 } }) => (minProperties > 0 ? oneOf([{}]) : null),
  },
];

const leftOut = fc.constant({ values: [] });

function unknownMember({ in: kind, schema }: Place): ReturnType<Mutation["changes"]> {
  const name = fc.oneof(fc.constantFrom(...unknownNames), fc.string({ minLength: 1, maxLength: 9 }));
  const value = kind === "query" ? fc.constantFrom("1", "a", "") : fc.jsonValue({ maxDepth: 1 });
  return fc
    .record({ member: name, values: fc.tuple(value) })
    .filter(({ member }) => !Object.hasOwn(schema.properties ?? {}, member));
}

export function isMap({ schema }: Place): boolean {
  return typeof schema.additionalProperties === "object";
}

function isOfType(value: unknown, { schema: { type }, isNullable }: Place): boolean {
  if (value === null) {
    return isNullable;
  }
  if (type === "integer") {
    return Number.isInteger(value);
  }
  return type === (Array.isArray(value) ? "array" : typeof value);
}
