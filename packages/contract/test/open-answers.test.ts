import { expect, test } from "vitest";
import { openAnswers } from "../scripts/open-answers.ts";

const publish = (schema: object): unknown => {
  const document = {
    openapi: "3.1.1",
    info: { title: "A", version: "1" },
    paths: {},
    components: { schemas: { A: schema } },
  };
  // The library's type is that of 3.0.
  return openAnswers(document as Parameters<typeof openAnswers>[0]).components?.schemas?.["A"];
};

test("an object that only answers reach is published without a word of other fields, wherever it stands", () => {
  const closed = { type: "object", additionalProperties: false, properties: { a: { type: "string" } } };
  const { additionalProperties: _, ...open } = closed;
  expect(publish({ type: "array", items: closed })).toEqual({ type: "array", items: open });
});

test.each([
  ["closed", { type: "object", additionalProperties: false }],
  ["of texts", { type: "object", additionalProperties: { type: "string" } }],
])("a map that is %s is published as it is written, so that the review sees when it closes", (_name, map) => {
  expect(publish({ type: "object", properties: { map } })).toEqual({ type: "object", properties: { map } });
});
