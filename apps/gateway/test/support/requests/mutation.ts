import fc from "fast-check";
import type { Place } from "./places.ts";
import type { Resolve } from "./request-schema.ts";

/** Values that replace the one at a place. No value leaves it out, and two values send a query parameter twice. */
export type Change = {
  values: readonly unknown[];
  /** The member of the place that is changed, instead of the place itself. */
  member?: string;
};

export type Mutation = {
  name: string;
  /**
   * Known by construction, without the validator. `unstorable` is refused as well. Where a schema allows the text,
   * the refusal names it only if nothing else is wrong.
   */
  outcome: "approved" | "refused" | "unstorable";
  /** The changes at a place, or null where the mutation does not apply or its outcome is not known. */
  changes(place: Place, resolve: Resolve): fc.Arbitrary<Change> | null;
};

/** Puts one of these values in the place; null if there are none. */
export function oneOf(values: readonly unknown[]): fc.Arbitrary<Change> | null {
  return values.length > 0 ? fc.constantFrom(...values).map((value) => ({ values: [value] })) : null;
}

/** Sets one of these members to the value. */
export function oneMember(names: readonly string[], value: unknown): fc.Arbitrary<Change> {
  return fc.constantFrom(...names).map((member) => ({ member, values: [value] }));
}
