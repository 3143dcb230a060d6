import { Problem } from "@gateway/contract";
import { isLockTimeout, isUnavailable } from "@gateway/database";
import { findRepeatedHeader, type RequestObserver } from "@gateway/process";
import type { ErrorRequestHandler, RequestHandler, Response } from "express";

export type AnswerRefusalDeps = {
  observer: Pick<RequestObserver, "requestFailed">;
  /** Without a slash at the end. Null when refusals do not link there. */
  docsUrl: string | null;
};

/** Refuses a second `Host` (RFC 9112, 3.2), because a proxy in front may read one and this server the other. */
export const refuseHosts: RequestHandler = (req, _res, next) => {
  const repeated = findRepeatedHeader(req.rawHeaders, ["host"]);
  next(repeated === null ? undefined : new Problem("INVALID_REQUEST", "Host must be sent only once."));
};

/** Refuses every request that does not match a route. */
export const refuseRest: RequestHandler = (req, _res, next) => {
  next(
    req.method === "GET" || req.method === "HEAD"
      ? new Problem("NOT_FOUND", "There is nothing at this address.")
      : new Problem("METHOD_NOT_ALLOWED", "This address does not support that method."),
  );
};

/** The last stage. Every refusal has the envelope of the API, which the page's client reads. */
export function answerRefusal({ observer, docsUrl }: AnswerRefusalDeps): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return (error: unknown, req, res, _next) => {
    const problem = refusalOf(error);
    // A caller that left gets no response, and work that was cut off with it is not a failure.
    if (problem.status >= 500 && !res.destroyed) {
      observer.requestFailed({ requestId: req.visit.requestId, error: problem.cause ?? error });
    }
    if (res.headersSent || res.destroyed) {
      res.destroy();
      return;
    }
    sendProblem(res, problem, { requestId: req.visit.requestId, docsUrl });
  };
}

function sendProblem(
  res: Response,
  { code, message, status, headers }: Problem,
  { requestId, docsUrl }: { requestId: string; docsUrl: string | null },
): void {
  const error = { code, message, ...(docsUrl !== null && { docsUrl: `${docsUrl}/errors/${code}` }) };
  res
    .status(status)
    .set({ "Cache-Control": "no-store", ...headers })
    .json({ error, meta: { requestId } });
}

function refusalOf(error: unknown): Problem {
  if (error instanceof Problem) {
    return error;
  }
  if (isUnavailable(error) || isLockTimeout(error)) {
    return new Problem("UNAVAILABLE", "The console's database does not answer. Try again in a moment.", {
      headers: { "Retry-After": "1" },
      cause: error,
    });
  }
  if (error instanceof URIError) {
    return new Problem("INVALID_REQUEST", "The path holds a percent-encoding that is not UTF-8.", { cause: error });
  }
  return new Problem("INTERNAL_ERROR", "Something failed on our side. Quote the request id when you ask about it.", {
    cause: error,
  });
}
