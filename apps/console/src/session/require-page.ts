import { Problem } from "@gateway/contract";
import type { RequestHandler } from "express";

/** What a call from the page says of itself: of a screen's own, or of what somebody tries out. */
export const consoleHeader = "X-Console";
const consoleHeaderValues: readonly string[] = ["1", "try"];

/**
 * Only a script of our own origin: another's cannot send the header without asking first, which nobody allows, and
 * cannot make the browser say `same-origin`, which it says itself. The cookie would not be sent along either
 * (SameSite=Strict): each of the three is enough.
 */
export const requirePage: RequestHandler = (req, _res, next) => {
  const isMarked = consoleHeaderValues.includes(req.get(consoleHeader) ?? "");
  if (!isMarked || req.get("Sec-Fetch-Site") !== "same-origin") {
    throw new Problem("FORBIDDEN", "Only the console's own page may call this address.");
  }
  next();
};
