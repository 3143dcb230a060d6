import { openapi, type ProblemDetail } from "@gateway/contract";
import { LRUCache } from "lru-cache";

/** Stands for what is cut out. */
const cut = "…";

const idOfOurs = /^[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const word = /^(?!gk_|whsec_|ey)[A-Za-z][A-Za-z_.-]{0,39}$/;
const version = /^v\d{1,3}$/;
const longestPath = 128;

/**
 * A path that reached no operation, or whose parameters no operation took: people paste keys, codes and passwords into addresses. Words, versions
 * and our ids stay. What has digits, other characters or over 40 of them, or begins as our secrets and JWTs do, is cut out.
 */
export function trimPath(path: string): string {
  const whole = path.slice(0, longestPath + 1);
  const segments = whole.length > longestPath ? [...whole.split("/").slice(0, -1), cut] : whole.split("/");
  return segments.map((segment) => (segment === "" || isHarmless(segment) ? segment : cut)).join("/");
}

function isHarmless(segment: string): boolean {
  return word.test(segment) || idOfOurs.test(segment) || version.test(segment);
}

const timestamp = /^[\d:.TZ+-]{10,35}$/;
const symbols = /^[A-Za-z0-9_]{1,20}(?:[-,][A-Za-z0-9_]{1,20}){0,30}$/;
/**
 * Of these the document bounds the length and not what is in them; and a cursor is as good as what it leads to. What is no cursor of ours is
 * refused only behind the check, so it may be anything.
 */
const unsaid: readonly string[] = ["cursor", "after", "externalId", "reference", "cause"];
const longestQuery = 1_000;

/** The parameters that the validator took, `limit=20&status=active`; null of none. */
export function trimQuery(query: Readonly<Record<string, unknown>>): string | null {
  let text = "";
  for (const name in query) {
    const value = query[name];
    const isKept = typeof value !== "string" || (!unsaid.includes(name) && isPlain(value));
    text += `${text === "" ? "" : "&"}${name}=${isKept ? String(value) : cut}`;
  }
  return text === "" ? null : text.slice(0, longestQuery);
}

function isPlain(value: string): boolean {
  return isHarmless(value) || timestamp.test(value) || symbols.test(value);
}

/** The name of each property, parameter and header of the document: of what callers made up themselves nothing is kept. */
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

/** As JSON: fields that the document names, and what was wrong by our own words; null of none. */
export function trimDetails(details: readonly ProblemDetail[], names: ReadonlySet<string>): string | null {
  if (details.length === 0) {
    return null;
  }
  const kept = details.slice(0, 20).map(({ field, issue }) => ({
    field: field
      .split(".")
      .map((step) => (names.has(step) || /^\d{1,4}$/.test(step) ? step : cut))
      .join("."),
    issue: issue.slice(0, 200),
  }));
  return JSON.stringify(kept);
}

const longestUserAgent = 120;
/** A version is of numbers, and of a word such as `-beta.2` behind them: digits and letters mixed are no version, but may be a key. */
const product =
  /^[(;,]*(?!gk_|whsec_|ey)[A-Za-z][A-Za-z_.-]{0,29}(?:\/v?\d{1,5}(?:[._]\d{1,5}){0,3}(?:[-+.]?[A-Za-z]{1,10}(?:\.?\d{1,4})?)?)?[);,]*$/;
/** Three groups at most: four are an address or a card. */
const number = /^[(;,]*(?:\d{1,4}(?:[._]\d{1,5}){1,2}|[A-Za-z]{1,8}\d{1,3})[);,:]*$/;

/** The beginning of a User-Agent, as far as it is made of names and versions of programs and machines. */
export function trimUserAgent(userAgent: string): string {
  return userAgent
    .slice(0, 2 * longestUserAgent)
    .split(/\s+/)
    .map((part) => (product.test(part) || number.test(part) ? part : cut))
    .join(" ")
    .slice(0, longestUserAgent);
}

/** There are few, and each is looked at once. */
export function createUserAgentTrim(): (userAgent: string | undefined) => string | null {
  const known = new LRUCache<string, string>({ max: 1_000 });
  return (userAgent) => {
    if (userAgent === undefined) {
      return null;
    }
    const begin = userAgent.slice(0, 2 * longestUserAgent);
    let trimmed = known.get(begin);
    if (trimmed === undefined) {
      trimmed = trimUserAgent(begin);
      known.set(begin, trimmed);
    }
    return trimmed;
  };
}
