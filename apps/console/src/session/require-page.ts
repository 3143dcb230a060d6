import { Problem } from "@gateway/contract";
import type { RequestHandler } from "express";

/** The header of a call from the page: `1` for a screen's own call, `try` for one that a user tries out. */
export const consoleHeader = "X-Console";
const consoleHeaderValues: readonly string[] = ["1", "try"];

/**
 * Lets only a script of our own origin through. A script of another origin cannot send the header without a preflight,
 * and the browser sets `same-origin` itself. The cookie (SameSite=Strict) is a third barrier.
 */
export const requirePage: RequestHandler = (req, _res, next) => {
  const isMarked = consoleHeaderValues.includes(req.get(consoleHeader) ?? "");
  if (!isMarked || req.get("Sec-Fetch-Site") !== "same-origin") {
    throw new Problem("FORBIDDEN", "Only the console's own page may call this address.");
  }
  next();
};

/** Without a challenge: a page does not answer one, it leads to the sign-in. */
export function nobodySignedIn(): Problem {
  return new Problem("UNAUTHENTICATED", "No user is signed in at the console with this browser. Sign in.");
}
