import { invalidField, Problem } from "@gateway/contract";
import { isOriginForm } from "@gateway/process";
import type { Request, RequestHandler } from "express";

/** Headers that decide who is calling or what is meant: sent twice, two readers could choose differently (RFC 9110, 5.3). */
const singleHeaders: readonly string[] = ["host", "x-api-key", "authorization", "idempotency-key", "content-type"];

/**
 * Only the origin form of a request target passes (RFC 9112, 3.2.1), and headers that must be single are. The refusal is
 * thrown by the rate limit stage, so that malformed requests are counted like all others.
 */
export function checkTarget(): RequestHandler {
  return (req, _res, next) => {
    req.call.refusal = findTargetProblem(req);
    next();
  };
}

function findTargetProblem(req: Request): Problem | null {
  if (!isOriginForm(req.originalUrl)) {
    return new Problem(
      "INVALID_REQUEST",
      "The request target must be a path that begins with / and holds no fragment.",
    );
  }
  const repeated = findRepeatedHeader(req.rawHeaders);
  if (repeated) {
    return invalidField(repeated, "must be sent only once");
  }
  if (req.headers.host === undefined && req.httpVersion === "1.1") {
    return invalidField("Host", "is missing (RFC 9112, 3.2)");
  }
  return null;
}

/** Node joins or drops repeated headers before anyone sees them; only the raw list tells. It alternates names and values. */
function findRepeatedHeader(rawHeaders: readonly string[]): string | null {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    const bit = 1 << (singleHeaders.indexOf(name.toLowerCase()) + 1);
    if (bit > 1 && (seen & bit) !== 0) {
      return name;
    }
    seen |= bit;
  }
  return null;
}
