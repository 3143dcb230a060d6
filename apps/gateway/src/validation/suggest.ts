import { closest, distance } from "fastest-levenshtein";

/** Longer texts are not slips of the pen. Comparing them would cost their sender nothing and us much. */
const longest = 60;

/** The candidate that was probably meant: a few letters away, or the same in other case. Null when none is near. */
export function findMeant(given: string, candidates: readonly string[]): string | null {
  if (given.length === 0 || given.length > longest || candidates.length === 0) {
    return null;
  }
  const folded = fold(given);
  const nearest = closest(folded, candidates.map(fold));
  const meant = candidates.find((candidate) => fold(candidate) === nearest);
  return meant !== undefined && distance(folded, nearest) <= Math.max(1, Math.floor(folded.length / 4)) ? meant : null;
}

/** Ignores letter case and separators, which people guess. */
function fold(text: string): string {
  return text.toLowerCase().replaceAll(/[-_. ]/g, "");
}

/** `; did you mean x?`, or nothing. */
export function suggest(given: unknown, candidates: readonly unknown[]): string {
  const meant = typeof given === "string" ? findMeant(given, candidates.filter(isText)) : null;
  return meant === null || meant === given ? "" : `; did you mean ${meant}?`;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
