import { openapi, type OperationPolicy } from "@gateway/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allOperations, withQuery } from "./support/document-request.ts";
import { requestSchemaOf, type Schema } from "./support/requests/request-schema.ts";
import { openSampleWorld, type SampleWorld } from "./support/sample-world.ts";

/** Valid in RFC 3339, but not for `Date` or Postgres. */
const times = [
  "2026-06-30T23:59:60Z",
  "2030-12-31T23:59:60.5Z",
  "2030-01-01T00:00:00+02",
  "9999-12-31T23:59:59-23:59",
  "0000-01-01T00:00:00Z",
  "0000-01-01T00:00:00+23:59",
];

/** Further fields that a request needs for its time to count. */
const beside: Readonly<Record<string, object>> = { createOrder: { type: "limit", timeInForce: "gtd" } };

const document = openapi();
const fields = allOperations.flatMap((operation) =>
  timesOf(operation).map((field) => ({ operation, ...field, name: `${operation.operationId} ${field.field}` })),
);

let world: SampleWorld;
beforeAll(async () => {
  world = await openSampleWorld();
});
afterAll(() => world.stop());

test("the document has times in queries and bodies", () => {
  expect(new Set(fields.map(({ place }) => place))).toEqual(new Set(["query", "body"]));
});

test.each(fields)(
  "$name: a time that is written strangely, or far away, is read or refused with its name",
  async (one) => {
    const { operation, place, field } = one;
    for (const time of times) {
      const sample = await world.sample(operation);
      const body = { ...(sample.body as object), ...beside[operation.operationId], [field]: time };
      const target = withQuery(sample.target, `${field}=${encodeURIComponent(time)}`);
      const answer = await world.call(place === "body" ? { ...sample, body } : { ...sample, target });
      expect(answer.status, `${time}: ${answer.text}`).toBeLessThan(500);
      expect(answer.status !== 400 || answer.text.includes(`"field":"`), answer.text).toBe(true);
    }
  },
);

function timesOf(operation: OperationPolicy): { place: "query" | "body"; field: string }[] {
  const { parameters, body, resolve } = requestSchemaOf(document, operation);
  const isTime = (schema: Schema | undefined): boolean =>
    schema !== undefined && resolve(schema).format === "date-time";
  const ofQuery = parameters.filter((one) => one.in === "query" && isTime(one.schema)).map(({ name }) => name);
  const ofBody = Object.entries(body ? (resolve(body).properties ?? {}) : {})
    .filter(([, schema]) => isTime(schema as Schema))
    .map(([name]) => name);
  return [
    ...ofQuery.map((field) => ({ place: "query" as const, field })),
    ...ofBody.map((field) => ({ place: "body" as const, field })),
  ];
}
