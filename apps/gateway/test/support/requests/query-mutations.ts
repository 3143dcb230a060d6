import fc from "fast-check";
import type { Mutation } from "./mutation.ts";
import type { Place } from "./places.ts";

/** Mutations of query parameters, whatever their type. */
export const queryMutations: readonly Mutation[] = [
  {
    name: "a query parameter sent twice",
    outcome: "refused",
    changes: (place) =>
      isParameter(place)
        ? fc
            .constantFrom([place.value, place.value], ["", place.value], [place.value, "x"])
            .map((values) => ({ values }))
        : null,
  },
  {
    name: "an empty query parameter",
    outcome: "refused",
    changes: (place) => (isParameter(place) ? fc.constant({ values: [""] }) : null),
  },
  {
    name: "a query parameter without a name",
    outcome: "refused",
    changes: (place) =>
      place.in === "query" && place.steps.length === 0 ? fc.constant({ member: "", values: ["1"] }) : null,
  },
];

function isParameter({ in: kind, steps }: Place): boolean {
  return kind === "query" && steps.length > 0;
}
