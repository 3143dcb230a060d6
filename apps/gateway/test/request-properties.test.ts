import { operations, type OperationPolicy } from "@gateway/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maxIssues } from "../src/validation/field-issues.ts";
import { allOperations } from "./support/document-request.ts";
import { expectJudged } from "./support/requests/expect-judged.ts";
import { keptRequests } from "./support/requests/kept-requests.ts";
import { applyEdits, mutatedRequests, type Edit } from "./support/requests/mutated-request.ts";
import { placesOf, type Place } from "./support/requests/places.ts";
import { wholeRequests, type RequestParts } from "./support/requests/request-parts.ts";
import { createRequestRules } from "./support/requests/request-rules.ts";
import { isMap } from "./support/requests/structure-mutations.ts";
import { lengthsInside, textsOf } from "./support/requests/text-mutations.ts";

/** The seed is fixed, so that a gate never fails by chance. The nightly suite draws others. */
const seed = 20_260_309;
const rulesOf = createRequestRules();
const withBody = allOperations.filter(({ hasBody }) => hasBody);

describe("kept", () => {
  test.each(keptRequests)("$guarantee ($operationId)", ({ operationId, edits, ampersands = 0 }) => {
    const { schema, judge } = rulesOf(operations[operationId]);
    const request = { ...applyEdits(exampleOf(operations[operationId]), edits), ampersands };
    const complete = edits.map((edit): Edit => ({
      mutation: "kept",
      outcome: "approved",
      field: "",
      counted: null,
      ...edit,
    }));
    expectJudged(judge(request), { edits: complete, request }, schema);
  });
});

describe.each(allOperations)("$operationId", (operation) => {
  const { schema, judge } = rulesOf(operation);

  test("the document's examples are handed on as they are", () => {
    for (const request of wholeRequests(schema)) {
      expectJudged(judge(request), { edits: [], request }, schema);
    }
  });

  test("of a changed example, what is wrong is named, and what is right is handed on", () => {
    fc.assert(
      fc.property(mutatedRequests(schema), (mutated) => expectJudged(judge(mutated.request), mutated, schema)),
      { seed, numRuns: 100 },
    );
  });
});

test("the greatest and least length of every text are tried, but for those that its pattern decides", () => {
  const untried = allOperations.flatMap((operation) => {
    const { schema } = rulesOf(operation);
    const places = placesOf(exampleOf(operation), schema);
    return places.flatMap(({ field, schema: one, value }) =>
      lengthsInside(one).flatMap((length) => (textsOf(one, length, value).length > 0 ? [] : `${field} of ${length}`)),
    );
  });
  expect([...new Set(untried)].toSorted()).toEqual([
    "email of 3",
    "price of 28",
    "status of 64",
    "symbol of 21",
    "symbols of 219",
  ]);
});

test("every number, list and map of a request has limits", () => {
  const unlimited = allOperations.flatMap((operation) => {
    const { schema } = rulesOf(operation);
    const places = wholeRequests(schema).flatMap((request) => placesOf(request, schema));
    return places.filter((place) => !hasLimits(place)).map(({ field }) => `${operation.operationId} ${field}`);
  });
  expect(unlimited).toEqual([]);
});

describe("an empty object as the body", () => {
  test.each(withBody)("of $operationId", (operation) => {
    const { schema, judge } = rulesOf(operation);
    const { required = [], minProperties = 0 } = schema.resolve(schema.body ?? {});
    const lacking = required.map((field) => ({ field, issue: "is required" }));
    const none = minProperties > 0 ? [{ field: "body", issue: "must have at least 1 entry" }] : [];
    const details = [...lacking, ...none];
    const judgement = judge({ ...exampleOf(operation), body: {} });
    expect(judgement).toMatchObject({ details: details.length > 0 ? details : null });
  });
});

describe(`however much is wrong, at most ${maxIssues} details name it`, () => {
  const many = (count: number): [name: string, text: string][] =>
    Array.from({ length: count }, (_, index) => [`k${index}`, "1"]);

  test.each(allOperations)("1,000 unknown parameters of $operationId", (operation) => {
    const { details } = rulesOf(operation).judge({ ...exampleOf(operation), query: many(1000) });
    expect(details).toHaveLength(maxIssues);
  });

  test.each(withBody)("10,000 unknown fields of $operationId", (operation) => {
    const body = Object.fromEntries(many(10_000));
    expect(rulesOf(operation).judge({ ...exampleOf(operation), body }).details).toHaveLength(maxIssues);
  });

  test("50 texts that cannot be stored", () => {
    const metadata = Object.fromEntries(many(50).map(([name]) => [name, "\ud800"]));
    const { judge } = rulesOf(operations.createWallet);
    const body = { name: "Payroll", currency: "EUR", metadata };
    expect(judge({ ...exampleOf(operations.createWallet), body }).details).toHaveLength(maxIssues);
  });
});

test("whatever is sent is refused with its fields or approved, and breaks nothing", () => {
  const text = fc.string({ unit: "binary", maxLength: 20 });
  const requests = fc.record({
    operation: fc.constantFrom(...allOperations),
    query: fc.array(fc.tuple(text, text), { maxLength: 3 }),
    body: fc.jsonValue(),
  });
  fc.assert(
    fc.property(requests, ({ operation, query, body }) => {
      const { details } = rulesOf(operation).judge({ ...exampleOf(operation), query, body });
      expect(details === null || (details.length > 0 && details.length <= maxIssues)).toBe(true);
      expect(details?.filter(({ field, issue }) => field === "" || issue === "") ?? []).toEqual([]);
    }),
    { seed, numRuns: 300 },
  );
});

function hasLimits(place: Place): boolean {
  const { type, minimum, maximum, maxItems, maxProperties } = place.schema;
  const limits = { integer: [minimum, maximum], array: [maxItems], object: isMap(place) ? [maxProperties] : [] };
  // Other types have no limits of this kind.
  return (limits[type as keyof typeof limits] ?? []).every((limit) => limit !== undefined);
}

function exampleOf(operation: OperationPolicy): RequestParts {
  const [example] = wholeRequests(rulesOf(operation).schema);
  if (!example) {
    throw new Error(`The document has no example of ${operation.operationId}.`);
  }
  return example;
}
