import type { Verdict } from "../browser/throttle.ts";
import { wholeForm, type Faults } from "../views/form.ts";
import { Refusal } from "./page.ts";

/** Throws a Refusal when attempts cannot be counted, because the design allows no sign-in without its limit. */
export function refuse(
  verdict: Exclude<Verdict, { kind: "allowed" }>,
  text: string,
): { status: 429; retryAfterSeconds: number; faults: Faults } {
  if (verdict.kind === "storeAway") {
    throw new Refusal(503, {
      title: "Signing in is not possible at this moment",
      message: "A part of our system is not responding. Nothing was changed. Try again in a minute.",
      retryAfterSeconds: 30,
    });
  }
  const { retryAfterSeconds } = verdict;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return { status: 429, retryAfterSeconds, faults: { [wholeForm]: text.replace("%s", wait) } };
}
