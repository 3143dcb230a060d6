import type { ProblemDetail } from "@gateway/contract";
import { isPercentEncodedUtf8 } from "@gateway/process";
import { parse as parseQuery } from "node:querystring";
import { suggest } from "./suggest.ts";
import { describeIssues, maxIssues } from "./field-issues.ts";
import type { Parameter, PreparedOperation } from "./prepare-operations.ts";

type UncheckedRequest = {
  /** The request target as it arrived, query included. */
  target: string;
  headers: object;
  /** Path parameters, percent-decoded. */
  params: Record<string, string>;
  body: unknown;
};

/** `query` holds converted values and defaults. It is valid only when there are no issues. */
type CheckedRequest = { issues: readonly ProblemDetail[]; query: Record<string, unknown> };

export type RequestCheck = (request: UncheckedRequest) => CheckedRequest;

export function createRequestCheck({ parameters, checkRequest }: PreparedOperation): RequestCheck {
  const queryReaders = new Map<string, TextReader>();
  for (const parameter of parameters) {
    const read = createTextReader(parameter);
    if (parameter.in === "query") {
      queryReaders.set(parameter.name, read);
    }
  }
  const headerNames = new Map(
    parameters.filter(({ in: place }) => place === "header").map(({ name }) => [name.toLowerCase(), name]),
  );

  return ({ target, headers, params, body }) => {
    const queryStart = target.indexOf("?");
    const query: Record<string, unknown> = queryStart === -1 ? {} : splitQuery(target.slice(queryStart + 1));
    const issues =
      queryStart === -1
        ? []
        : [...takeUndecodable(query, target.slice(queryStart + 1)), ...readQuery(query, queryReaders)];
    const faults = checkRequest({ query, headers, params, body });
    if (faults !== null) {
      // Parameters that were taken out are not missing.
      const known = new Set(issues.map(({ field }) => field));
      issues.push(...describeIssues(faults, headerNames).filter(({ field }) => !known.has(field)));
    }
    return { issues: issues.slice(0, maxIssues), query };
  };
}

/** Node reads only the first 1000 pairs by default. The headers' size bounds them here. */
function splitQuery(text: string): Record<string, unknown> {
  return { ...parseQuery(text, "&", "=", { maxKeys: 0 }) };
}

/** Takes out parameters that are not percent-encoded UTF-8, such as `%c0%af`: the parser would substitute U+FFFD. */
function takeUndecodable(query: Record<string, unknown>, text: string): ProblemDetail[] {
  const names = text
    .split("&")
    .filter((pair) => !isPercentEncodedUtf8(pair))
    .map((pair) => parseQuery(pair.split("=", 1)[0] ?? "", "&", "="))
    .map((name) => Object.keys(name)[0] ?? "");
  return [...new Set(names)].map((name) => {
    delete query[name];
    return { field: name.slice(0, 100) || "query", issue: "must be UTF-8, percent-encoded" };
  });
}

/** The value of a parameter's text, or what is wrong with it, before any schema sees it. */
type Reading = { value: string | number | boolean } | { issue: string };
type TextReader = (text: string) => Reading;

/** ajv would convert any string that JavaScript reads as a number: 0x10, 1e1, 5.0, a leading space. */
function createTextReader({ name, in: place, type }: Parameter): TextReader {
  if (type === "string") {
    return (value) => ({ value });
  }
  if (type === "integer" && place === "query") {
    return (text) =>
      /^(?:0|-?[1-9][0-9]{0,15})$/.test(text)
        ? { value: Number(text) }
        : { issue: "must be a whole number in decimal digits" };
  }
  if (type === "boolean" && place === "query") {
    return (text) =>
      text === "true" || text === "false" ? { value: text === "true" } : { issue: "must be true or false" };
  }
  throw new Error(
    `The ${place} parameter ${name} is of the type ${String(type)}: say here first how its text is read.`,
  );
}

/** Takes parameters that no schema can check out of the query, so that the others are still checked. */
function readQuery(query: Record<string, unknown>, readers: ReadonlyMap<string, TextReader>): ProblemDetail[] {
  const issues: ProblemDetail[] = [];
  for (const [name, given] of Object.entries(query)) {
    const reading = readParameter(given, readers.get(name));
    if ("value" in reading) {
      query[name] = reading.value;
    } else {
      delete query[name];
      const suggestion = readers.has(name) ? "" : suggest(name, [...readers.keys()]);
      issues.push({ field: name.slice(0, 100) || "query", issue: `${reading.issue}${suggestion}` });
    }
  }
  return issues;
}

function readParameter(given: unknown, read: TextReader | undefined): Reading {
  if (!read) {
    return { issue: "is not a known query parameter" };
  }
  if (typeof given !== "string") {
    return { issue: "must be sent only once" };
  }
  return given === "" ? { issue: "must not be empty; is the variable that it comes from set?" } : read(given);
}
