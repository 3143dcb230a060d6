import type { FindPath } from "@gateway/contract";
import { distance } from "fastest-levenshtein";

const prefix = ["api", "v1"];
const mostSegments = 10;
const longestSegment = 60;

/**
 * The documented path that was probably meant: in other case, without a slash at the end, with the prefix, or a few
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
 * Finds the empty segment of `/api/v1/wallets//close`, which comes from an unset variable. Null when no segment is
 * empty, or no path fits.
 */
export function findEmptyPlace(path: string, findFilled: FindPath): { path: string; names: string[] } | null {
  const given = path.split("/");
  const found = given.includes("", 1) ? findFilled(path) : null;
  const names = found?.path.split("/").filter((_, index) => index > 0 && given[index] === "");
  return found && names ? { path: found.path, names: names.map((name) => name.slice(1, -1)) } : null;
}

/** Number of letters to change. A placeholder costs half a letter, so that a path with the exact word is nearer. */
function costOf(given: readonly string[], wanted: readonly string[]): number {
  if (given.length !== wanted.length) {
    return Number.POSITIVE_INFINITY;
  }
  return wanted.reduce((cost, segment, index) => {
    const isPlaceholder = segment.startsWith("{");
    return cost + (isPlaceholder ? 0.5 : distance(given[index] ?? "", segment.toLowerCase()));
  }, 0);
}
