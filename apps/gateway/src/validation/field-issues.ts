import type { AnySchemaObject, ErrorObject } from "ajv";

import type { ProblemDetail } from "@gateway/contract";
import { suggest } from "./suggest.ts";

/** Maximum number of details in a response: 10,000 unknown keys must not come back as 10,000 lines. */
export const maxIssues = 20;

/**
 * One issue per field, in the order found; ajv must be verbose. `headerNames`: the document's spelling. Fields are
 * named as the caller sent them: `limit`, `Idempotency-Key`, `metadata.team`, and `body` for the body itself.
 */
export function describeIssues(
  errors: readonly ErrorObject[],
  headerNames: ReadonlyMap<string, string>,
): ProblemDetail[] {
  const issues = new Map<string, string>();
  for (const error of errors) {
    const field = fieldOf(error, headerNames);
    if (!issues.has(field)) {
      issues.set(field, mistakeOf(error) ?? issueOf(error));
    }
    if (issues.size === maxIssues) {
      break;
    }
  }
  return [...issues].map(([field, issue]) => ({ field, issue }));
}

function fieldOf(error: ErrorObject, headerNames: ReadonlyMap<string, string>): string {
  const [location, ...steps] = error.instancePath.split("/").slice(1).map(unescapePointer);
  const params: Record<string, unknown> = error.params;
  const last =
    params["missingProperty"] ??
    params["additionalProperty"] ??
    params["unevaluatedProperty"] ??
    // `propertyNames` reports twice: first the rule that the name broke, then the name.
    error.propertyName ??
    params["propertyName"];
  const path = typeof last === "string" ? [...steps, last] : steps;
  if (location === "headers") {
    return headerNames.get(path[0] ?? "") ?? path.join(".");
  }
  return clip(path.join(".")) || (location ?? "body");
}

function unescapePointer(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** A field name that the caller chose may be as long as the body. */
function clip(name: string): string {
  return name.length > 100 ? `${name.slice(0, 100)}…` : name;
}

/** `x-mistakes` of the schema, and a time in a query whose `+` was read as a space. */
function mistakeOf({ keyword, instancePath, parentSchema, data }: ErrorObject): string | null {
  if (typeof data !== "string" || (keyword !== "pattern" && keyword !== "format")) {
    return null;
  }
  if (instancePath.startsWith("/query/") && /^\d{4}-\d\d-\d\dT[\d:.]+ \d\d:\d\d$/.test(data)) {
    return `must have the + of its offset written as %2B: ${data.replace(" ", "%2B")}`;
  }
  // The document's rule `pattern-issue` requires this shape.
  const mistakes = (parentSchema?.["x-mistakes"] ?? []) as readonly { pattern: string; issue: string }[];
  return mistakes.find(({ pattern }) => new RegExp(pattern, "u").test(data))?.issue ?? null;
}

function issueOf({ keyword, message, params, parentSchema, data }: ErrorObject): string {
  const limit = Number(params["limit"]);
  switch (keyword) {
    case "required":
      return "is required";
    case "additionalProperties":
    case "unevaluatedProperties":
      return `is not a known field${suggest(params[keyword.replace("ies", "y")], fieldsOf(parentSchema))}`;
    case "propertyNames":
      return "is not an accepted name";
    case "type":
      return typeIssue(params["type"], parentSchema);
    case "enum":
      return `must be one of ${listOf(params["allowedValues"], ", ")}${suggest(data, [params["allowedValues"]].flat())}`;
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "minLength":
      return `must have at least ${count(limit, "character", "characters")}`;
    case "maxLength":
      return `must have at most ${count(limit, "character", "characters")}`;
    case "minProperties":
    case "minItems":
      return `must have at least ${count(limit, "entry", "entries")}`;
    case "uniqueItems":
      return "must not name an entry twice";
    case "maxProperties":
    case "maxItems":
      return `must have at most ${count(limit, "entry", "entries")}`;
    case "pattern":
      // The linter requires a sentence for each pattern.
      return String(parentSchema?.["x-issue"] ?? "is not written as it must be");
    case "format":
      return formatIssues[String(params["format"])] ?? `must be a valid ${String(params["format"])}`;
    default:
      return message ?? "is not accepted";
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
};

/** Names the type, with an example of the schema. A number whose unit matters has its own sentence, `x-issue`. */
function typeIssue(type: unknown, schema: AnySchemaObject | undefined): string {
  const types = [type].flat().map(String);
  const sentence: unknown = schema?.["x-issue"];
  if (types.includes("integer") && typeof sentence === "string") {
    return sentence;
  }
  // JSON Schema 2020-12, 9.5: examples are a list. The linter has validated the document.
  const example = ((schema?.["examples"] ?? []) as unknown[]).find(
    (one) => typeof one === (types[0] === "integer" ? "number" : types[0]),
  );
  const words = types.map((name) => typeWords[name] ?? name).join(" or ");
  return example === undefined || types.includes("boolean")
    ? `must be ${words}`
    : `must be ${words}, such as ${JSON.stringify(example)}`;
}

function count(limit: number, one: string, many: string): string {
  return `${limit} ${limit === 1 ? one : many}`;
}

const formatIssues: Readonly<Record<string, string>> = {
  "date-time": "must be a time with its offset, such as 2026-03-01T12:00:00Z (RFC 3339)",
  date: "must be a date, such as 2026-03-01",
  email: "must be an e-mail address, such as grace@example.com",
  uri: "must be a whole address, such as https://example.com/path",
};

/** The fields of a schema, including those of its parts. */
function fieldsOf(schema: AnySchemaObject | undefined): string[] {
  // The linter has validated the document: `allOf` is a list of schemas.
  return [schema ?? {}, ...((schema?.["allOf"] ?? []) as AnySchemaObject[])].flatMap(({ properties }) =>
    Object.keys(properties ?? {}),
  );
}

function listOf(value: unknown, separator: string): string {
  return [value].flat().join(separator);
}
