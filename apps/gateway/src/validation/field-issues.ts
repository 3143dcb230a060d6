import type { ErrorObject } from "ajv";

import type { ProblemDetail } from "@gateway/contract";

/** At most so many details in one answer: 10,000 unknown keys must not come back as 10,000 lines. */
export const maxIssues = 20;

/**
 * The errors of ajv as one issue per field, in the order found. `headerNames` maps lower case to the spelling of the document.
 * Fields are named as the caller sent them: `limit`, `Idempotency-Key`, `metadata.team`, and `body` for the body itself.
 */
export function describeIssues(
  errors: readonly ErrorObject[],
  headerNames: ReadonlyMap<string, string>,
): ProblemDetail[] {
  const issues = new Map<string, string>();
  for (const error of errors) {
    // `propertyNames` reports twice: once for the name, once for the rule inside that the name broke.
    if (error.propertyName !== undefined) {
      continue;
    }
    const field = fieldOf(error, headerNames);
    if (!issues.has(field)) {
      issues.set(field, issueOf(error));
    }
    if (issues.size === maxIssues) {
      break;
    }
  }
  return [...issues].map(([field, issue]) => ({ field, issue }));
}

function fieldOf(error: ErrorObject, headerNames: ReadonlyMap<string, string>): string {
  const [location, ...steps] = error.instancePath.split("/").slice(1).map(unescapePointer);
  const params = error.params as Record<string, unknown>;
  const last =
    params["missingProperty"] ??
    params["additionalProperty"] ??
    params["unevaluatedProperty"] ??
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

function issueOf({ keyword, message, params }: ErrorObject): string {
  const limit = String(params["limit"]);
  switch (keyword) {
    case "required":
      return "is required";
    case "additionalProperties":
    case "unevaluatedProperties":
      return "is not a known field";
    case "propertyNames":
      return "is not an accepted name";
    case "type":
      return `must be of type ${listOf(params["type"], " or ")}`;
    case "enum":
      return `must be one of ${listOf(params["allowedValues"], ", ")}`;
    case "minimum":
      return `must be at least ${limit}`;
    case "maximum":
      return `must be at most ${limit}`;
    case "minLength":
      return `must have at least ${limit} characters`;
    case "maxLength":
      return `must have at most ${limit} characters`;
    case "minProperties":
    case "minItems":
      return `must have at least ${limit} ${limit === "1" ? "entry" : "entries"}`;
    case "uniqueItems":
      return "must not name an entry twice";
    case "maxProperties":
    case "maxItems":
      return `must have at most ${limit} entries`;
    case "pattern":
      return `must match ${String(params["pattern"])}`;
    case "format":
      return `must be a valid ${String(params["format"])}`;
    default:
      return message ?? "is not accepted";
  }
}

function listOf(value: unknown, separator: string): string {
  return [value].flat().join(separator);
}
