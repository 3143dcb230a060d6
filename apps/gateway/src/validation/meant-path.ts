import type { FindPath } from "@gateway/contract";
import { distance } from "fastest-levenshtein";

const prefix = ["api", "v1"];
const mostSegments = 10;
const longestSegment = 60;

/** Another case, a slash at the end, the prefix forgotten, or a few letters away. Null when none is near. */
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

/** `/api/v1/wallets//close` comes of a variable that is not set. Null when nothing is empty, or nothing fits. */
export function findEmptyPlace(path: string, findFilled: FindPath): { path: string; names: string[] } | null {
  const given = path.split("/");
  const found = given.includes("", 1) ? findFilled(path) : null;
  const names = found?.path.split("/").filter((_, index) => index > 0 && given[index] === "");
  return found && names ? { path: found.path, names: names.map((name) => name.slice(1, -1)) } : null;
}

/** Letters to change. A placeholder takes any id; a word that another path has there is taken for that one. */
function costOf(given: readonly string[], wanted: readonly string[]): number {
  if (given.length !== wanted.length) {
    return Number.POSITIVE_INFINITY;
  }
  return wanted.reduce((cost, segment, index) => {
    const isPlaceholder = segment.startsWith("{");
    return cost + (isPlaceholder ? 0.5 : distance(given[index] ?? "", segment.toLowerCase()));
  }, 0);
}
