import fc from "fast-check";
import { listMutations } from "./list-mutations.ts";
import type { Change, Mutation } from "./mutation.ts";
import { numberMutations } from "./number-mutations.ts";
import { placesOf, type Place } from "./places.ts";
import { queryMutations } from "./query-mutations.ts";
import { wholeRequests, type RequestParts } from "./request-parts.ts";
import type { RequestSchema } from "./request-schema.ts";
import { structureMutations } from "./structure-mutations.ts";
import { textMutations } from "./text-mutations.ts";

const mutations: readonly Mutation[] = [
  ...structureMutations,
  ...listMutations,
  ...textMutations,
  ...numberMutations,
  ...queryMutations,
];

/** One mutation, made at one place. */
export type Edit = {
  mutation: string;
  outcome: Mutation["outcome"];
  in: Place["in"];
  steps: readonly string[];
  values: readonly unknown[];
  /** The field that a refusal must name. */
  field: string;
  /** The object around the change, if its schema counts its members: a refusal may name it as well. */
  counted: string | null;
};

export type MutatedRequest = { edits: readonly Edit[]; request: RequestParts };

const mostEdits = 4;

/** Requests that differ from the document's examples in up to four places, none of which is inside another. */
export function mutatedRequests(schema: RequestSchema): fc.Arbitrary<MutatedRequest> {
  const ofExamples = wholeRequests(schema).map((request) => {
    const edits = placesOf(request, schema).flatMap((place) =>
      mutations.flatMap((mutation) => {
        const changes = mutation.changes(place, schema.resolve);
        return changes ? [changes.map((change) => editOf(mutation, place, change))] : [];
      }),
    );
    return fc
      .array(fc.oneof(...edits), { minLength: 1, maxLength: mostEdits, size: "max" })
      .map((made) => made.filter((edit, index) => made.slice(0, index).every((other) => areApart(edit, other))))
      .map((apart) => ({ edits: apart, request: applyEdits(request, apart) }));
  });
  return fc
    .record({ mutated: fc.oneof(...ofExamples), ampersands: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 5000) })
    .map(({ mutated: { edits, request }, ampersands }) => ({ edits, request: { ...request, ampersands } }));
}

export function applyEdits(request: RequestParts, edits: readonly AppliedEdit[]): RequestParts {
  return edits.reduce(applyEdit, request);
}

type AppliedEdit = Pick<Edit, "in" | "steps" | "values">;

function editOf({ name, outcome }: Mutation, place: Place, { values, member }: Change): Edit {
  const steps = member === undefined ? place.steps : [...place.steps, member];
  const { maxProperties, minProperties } = place.schema;
  return {
    mutation: name,
    outcome,
    in: place.in,
    steps,
    values,
    field: member === undefined ? place.field : memberField(place, steps),
    counted: member !== undefined && (maxProperties ?? minProperties) !== undefined ? place.field : null,
  };
}

/** Details cut a name that the caller chose, because it may be as long as the body. */
function memberField({ in: kind }: Place, steps: readonly string[]): string {
  const whole = steps.join(".");
  return kind === "query" ? whole.slice(0, 100) || "query" : `${whole.slice(0, 100)}${whole.length > 100 ? "…" : ""}`;
}

function areApart(one: Edit, other: Edit): boolean {
  const [short, long] = one.steps.length < other.steps.length ? [one, other] : [other, one];
  return one.in !== other.in || short.steps.some((step, index) => step !== long.steps[index]);
}

function applyEdit(request: RequestParts, { in: kind, steps, values }: AppliedEdit): RequestParts {
  const [name = ""] = steps;
  if (kind === "body") {
    return { ...request, body: changed(request.body, steps, values) };
  }
  if (kind === "query") {
    const others = request.query.filter(([other]) => other !== name);
    return { ...request, query: [...others, ...values.map((value) => [name, String(value)] as const)] };
  }
  return { ...request, [kind]: changed(request[kind], steps, values) };
}

/** Changes a copy of the target, in which `__proto__` is a member like any other. */
function changed(target: unknown, [step, ...rest]: readonly string[], values: readonly unknown[]): unknown {
  if (step === undefined) {
    return values[0];
  }
  const inside = (value: unknown): readonly unknown[] => (rest.length > 0 ? [changed(value, rest, values)] : values);
  if (Array.isArray(target)) {
    return target.flatMap((entry: unknown, index) => (String(index) === step ? inside(entry) : [entry]));
  }
  const members = new Map(Object.entries((target ?? {}) as object));
  const [value] = inside(members.get(step));
  members.delete(step);
  return Object.fromEntries(values.length > 0 || rest.length > 0 ? [...members, [step, value]] : members);
}
