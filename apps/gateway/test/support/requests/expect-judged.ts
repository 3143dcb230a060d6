import { expect } from "vitest";
import { maxIssues } from "../../../src/validation/field-issues.ts";
import type { Judgement } from "./judge-request.ts";
import type { MutatedRequest } from "./mutated-request.ts";
import type { RequestParts } from "./request-parts.ts";
import type { RequestSchema, Schema } from "./request-schema.ts";

/**
 * Fails unless the refusal names every wrong field and no other, or the approved request is what was sent plus
 * defaults.
 */
export function expectJudged(judgement: Judgement, { edits, request }: MutatedRequest, schema: RequestSchema): void {
  const fieldsOf = (outcome: string): string[] =>
    edits.filter((edit) => edit.outcome === outcome).map(({ field }) => field);
  const [refused, unstorable] = [fieldsOf("refused"), fieldsOf("unstorable")];
  if (refused.length + unstorable.length === 0) {
    expect(judgement).toEqual({ details: null, ...approvedOf(request, schema) });
    return;
  }
  const details = judgement.details ?? [];
  const named = details.map(({ field }) => field);
  const incomplete = details.filter(({ issue }) => !/^(?:is|must|holds) \S/.test(issue));
  expect(incomplete, 'does not complete "The field ..."').toEqual([]);
  expect(named.length).toBeGreaterThan(0);
  expect(named.length).toBeLessThanOrEqual(maxIssues);
  expect(
    refused.filter((field) => !named.includes(field)),
    "not named",
  ).toEqual([]);
  const wrong = [...refused, ...unstorable, ...edits.map(({ counted }) => counted)];
  expect(
    named.filter((field) => !wrong.includes(field)),
    "named, and not wrong",
  ).toEqual([]);
}

/**
 * The query and body that an operation receives: converted texts, and the document's defaults where nothing was
 * sent.
 */
function approvedOf(
  request: RequestParts,
  { parameters, body, resolve }: RequestSchema,
): { query: unknown; body: unknown } {
  const known = parameters.filter((parameter) => parameter.in === "query");
  const schemas = Object.fromEntries(known.map(({ name, schema }) => [name, resolve(schema)]));
  const query = request.query.map(([name, text]) => [name, valueOf(text, schemas[name])]);
  return {
    query: { ...defaultsOf(schemas), ...Object.fromEntries(query) },
    body: body ? withDefaults(request.body, body, resolve) : request.body,
  };
}

function valueOf(text: string, { type }: Schema = {}): unknown {
  return { integer: Number(text), boolean: text === "true" }[type ?? ""] ?? text;
}

function withDefaults(value: unknown, schema: Schema, resolve: RequestSchema["resolve"]): unknown {
  const { properties = {}, items = {} } = resolve(schema);
  if (Array.isArray(value)) {
    return value.map((entry) => withDefaults(entry, items, resolve));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const own = Object.entries(value).map(([name, one]) => [name, withDefaults(one, properties[name] ?? {}, resolve)]);
  const schemas = Object.entries(properties).map(([name, one]) => [name, resolve(one)] as const);
  return { ...defaultsOf(Object.fromEntries(schemas)), ...Object.fromEntries(own) };
}

function defaultsOf(schemas: Record<string, Schema>): object {
  return Object.fromEntries(
    Object.entries(schemas).flatMap(([name, schema]) => (schema.default === undefined ? [] : [[name, schema.default]])),
  );
}
