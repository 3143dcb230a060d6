import { findUrlProblem, type EgressRules } from "@gateway/platform/events";
import { dropOldest } from "./drop-oldest.ts";

export type Target = { origin: string; path: string };

export type TargetRules = EgressRules & {
  /** Sends to `http:` too, for measurements on one machine. No setting sets it. */
  allowsPlainHttp?: boolean;
};

const maxKept = 2_000;

/** Null for a URL that must not be called. The results for the last URLs are remembered. */
export function createFindTarget(rules: TargetRules): (url: string) => Target | null {
  const kept = new Map<string, Target | null>();
  return (url) => {
    const known = kept.get(url);
    if (known !== undefined) {
      return known;
    }
    const target = findTarget(url, rules);
    kept.set(url, target);
    dropOldest(kept, maxKept);
    return target;
  };
}

function findTarget(url: string, { allowsPlainHttp, ...rules }: TargetRules): Target | null {
  const judged = allowsPlainHttp ? url.replace(/^http:/, "https:") : url;
  if (findUrlProblem(judged, rules) !== null) {
    return null;
  }
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}
