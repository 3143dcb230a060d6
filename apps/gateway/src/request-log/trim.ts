import { openapi, operations, type ProblemDetail } from "@gateway/contract";
import { findMeant } from "../validation/suggest.ts";
import { isKnownSymbol, knownValues } from "./known-values.ts";

/** Replaces text that is cut out. */
export const cut = "…";

const idOfOurs = /^[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const version = /^v\d{1,3}$/;
const longestPath = 128;

/** Segments of the document's paths. */
const literals: readonly string[] = [
  ...new Set(
    Object.values(operations).flatMap(({ path }) => path.split("/").filter((step) => /^[a-z][a-z-]*$/.test(step))),
  ),
];

/**
 * A path that reached no operation: people paste keys, codes and passwords into addresses. Our ids, versions, and words
 * that are, or nearly are, in the document (`walets`) stay.
 */
export function trimPath(path: string): string {
  const whole = path.slice(0, longestPath + 1);
  const segments = whole.length > longestPath ? [...whole.split("/").slice(0, -1), cut] : whole.split("/");
  return segments.map((segment) => (segment === "" || isHarmless(segment) ? segment : cut)).join("/");
}

function isHarmless(segment: string): boolean {
  return idOfOurs.test(segment) || version.test(segment) || findMeant(segment, literals) !== null;
}

const symbol = /(?<![\w-])[A-Z0-9]{2,10}-[A-Z0-9]{2,10}(?![\w-])/g;

function cutUnknownSymbols(text: string): string {
  return text.replaceAll(symbol, (found) => (isKnownSymbol(found) ? found : cut));
}

/** Ids and listed values stay; a symbol is free text, so it stays only if it is known. */
export function trimApprovedPath(path: string): string {
  return path.includes("-") ? cutUnknownSymbols(path) : path;
}

const longestQuery = 1_000;

/**
 * `limit=20&status=active`; null without a query. Free text stays only if it is a known value: a word may be a
 * password.
 */
export function trimQuery(query: Readonly<Record<string, unknown>>): string | null {
  let text = "";
  for (const name in query) {
    const value = query[name];
    const known = knownValues[name];
    const isKept = typeof value !== "string" || known === undefined || value.split(",").every(known);
    text += `${text === "" ? "" : "&"}${name}=${isKept ? String(value) : cut}`;
  }
  return text === "" ? null : text.slice(0, longestQuery);
}

/** Names of properties, parameters and headers. Names that callers made up are never kept. */
export function namesOfDocument(): ReadonlySet<string> {
  const names = new Set<string>(["body", "query", "path", "Host", "Authorization", "X-API-Key", "Content-Type"]);
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) {
      return;
    }
    if ("properties" in node && typeof node.properties === "object" && node.properties !== null) {
      Object.keys(node.properties).forEach((name) => names.add(name));
    }
    if ("in" in node && "name" in node && typeof node.name === "string") {
      names.add(node.name);
    }
    Object.values(node).forEach(visit);
  };
  visit(openapi());
  return names;
}

const url = /\bhttps?:\/\/\S+/gi;

/** The rule in our own words. It may repeat a symbol or a URL of the request, and these may hold anything. */
function trimIssue(issue: string): string {
  return cutUnknownSymbols(issue.slice(0, 200)).replaceAll(url, cut);
}

/** JSON of the fields that the document names and of their issues in our own words; null without details. */
export function trimDetails(details: readonly ProblemDetail[], names: ReadonlySet<string>): string | null {
  if (details.length === 0) {
    return null;
  }
  const kept = details.slice(0, 20).map(({ field, issue }) => ({
    field: field
      .split(".")
      .map((step) => (names.has(step) || /^\d{1,4}$/.test(step) ? step : cut))
      .join("."),
    issue: trimIssue(issue),
  }));
  return JSON.stringify(kept);
}
