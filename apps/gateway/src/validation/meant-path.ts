import { distance } from "fastest-levenshtein";

const prefix = ["api", "v1"];
const mostSegments = 10;
const longestSegment = 60;

/**
 * The path of the document that was probably meant, with its placeholders: another case, a slash at the end, the prefix forgotten, or a few
 * letters away. Null when none is near.
 */
export function findMeantPath(path: string, documented: readonly string[]): string | null {
  const given = path
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "");
  if (given.length === 0 || given.length > mostSegments || given.some((segment) => segment.length > longestSegment)) {
    return null;
  }
  const whole = given[0] === prefix[0] ? given : [...prefix, ...given];
  const costs = documented.map((candidate) => ({ candidate, cost: costOf(whole, candidate.split("/").slice(1)) }));
  const [nearest] = costs.filter(({ cost }) => cost <= 3).sort((a, b) => a.cost - b.cost);
  return nearest?.candidate ?? null;
}

/**
 * The path of the document that fits but for placeholders that nothing stands at, with their names:
 * `/api/v1/wallets//close` comes of a variable that is not set. Null when nothing is empty, or nothing fits.
 */
export function findEmptyPlace(path: string, documented: readonly string[]): { path: string; names: string[] } | null {
  const given = path.split("/").slice(1);
  if (!given.includes("") || given.length > mostSegments) {
    return null;
  }
  for (const candidate of documented) {
    const wanted = candidate.split("/").slice(1);
    const fits = wanted.every((segment, index) => segment.startsWith("{") || segment === given[index]);
    const names = wanted.filter((segment, index) => segment.startsWith("{") && given[index] === "");
    if (fits && wanted.length === given.length && names.length > 0) {
      return { path: candidate, names: names.map((name) => name.slice(1, -1)) };
    }
  }
  return null;
}

/** Letters to change. What stands at a placeholder is an id of the caller's; a word that another path has there is taken for that one. */
function costOf(given: readonly string[], wanted: readonly string[]): number {
  if (given.length !== wanted.length) {
    return Number.POSITIVE_INFINITY;
  }
  return wanted.reduce((cost, segment, index) => {
    const isPlaceholder = segment.startsWith("{");
    return cost + (isPlaceholder ? 0.5 : distance(given[index] ?? "", segment.toLowerCase()));
  }, 0);
}
