import { Problem } from "@gateway/contract";
import type { RequestHandler } from "express";

/** What a call from the page says of itself: of a screen's own, or of what somebody tries out. */
export const consoleHeader = "X-Console";
const consoleHeaderValues: readonly string[] = ["1", "try"];

/**
 * Lets only a script of our own origin through: another origin's cannot send the header without a preflight, and the
 * browser sets `same-origin` itself. The cookie (SameSite=Strict) is a third barrier.
 */
export const requirePage: RequestHandler = (req, _res, next) => {
  const isMarked = consoleHeaderValues.includes(req.get(consoleHeader) ?? "");
  if (!isMarked || req.get("Sec-Fetch-Site") !== "same-origin") {
    throw new Problem("FORBIDDEN", "Only the console's own page may call this address.");
  }
  next();
};
