import { rateLimitHeaders } from "@gateway/limits";
import type { Verdict } from "../browser/throttle.ts";
import type { Visit } from "./page.ts";

/** Answers how many tries are left in place of requests. A try that is given back is left again. */
export function tellLimit({ res }: Pick<Visit, "res">, verdict: Verdict): Verdict {
  if (verdict.kind === "storeAway") {
    return verdict;
  }
  const { state } = verdict;
  res.set(rateLimitHeaders(state));
  if (verdict.kind === "refused") {
    return verdict;
  }
  const giveBack = async (): Promise<void> => {
    await verdict.giveBack();
    res.set(rateLimitHeaders({ ...state, remaining: state.remaining + 1 }));
  };
  return { ...verdict, giveBack };
}
