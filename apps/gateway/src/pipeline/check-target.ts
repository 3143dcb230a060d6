import { invalidField, Problem } from "@gateway/contract";
import { findRepeatedHeader, isOriginForm } from "@gateway/process";
import type { Request, RequestHandler } from "express";

/** Headers that identify the caller or the content. A second one is refused. */
const singleHeaders: readonly string[] = ["host", "x-api-key", "authorization", "idempotency-key", "content-type"];

/** Only the origin form passes (RFC 9112, 3.2.1). A fault is noted for the rate limit; see `NotedRefusals`. */
export function checkTarget(): RequestHandler {
  return (req, _res, next) => {
    req.call.noted["limit-rate"] = findTargetProblem(req);
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
  const repeated = findRepeatedHeader(req.rawHeaders, singleHeaders);
  if (repeated) {
    return invalidField(repeated, "must be sent only once");
  }
  if (req.headers.host === undefined && req.httpVersion === "1.1") {
    return invalidField("Host", "is missing (RFC 9112, 3.2)");
  }
  return null;
}
