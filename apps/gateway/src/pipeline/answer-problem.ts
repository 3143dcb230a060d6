import { isLockTimeout, isUnavailable } from "@gateway/database";
import { Problem } from "@gateway/contract";
import type { ErrorRequestHandler } from "express";
import { countRequest, type LimitRateDeps } from "./limit-rate.ts";
import { problemBody, respond, type RespondDeps } from "./respond.ts";

/** `docsUrl`: where the documentation is, without a slash at the end. */
export type AnswerProblemDeps = LimitRateDeps & RespondDeps & { docsUrl: string | null };

/** An error that is not a Problem is a fault of the gateway, and its text stays in the log. */
export function answerProblem(deps: AnswerProblemDeps): ErrorRequestHandler {
  // Express knows an error handler by its four parameters.
  return async (error: unknown, req, res, _next) => {
    const problem = problemOf(error);
    req.call.problem = problem;
    if (res.headersSent || res.destroyed) {
      res.destroy();
      return;
    }
    if (!req.call.rateLimit) {
      await countRequest(req, deps);
    }
    const body = problemBody(req.call.requestId, problem, deps.docsUrl);
    respond(req, res, { answer: { status: problem.status, body, headers: problem.headers }, ...deps });
  };
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) {
    return error;
  }
  if (isUnavailable(error)) {
    return tryAgain(
      "The database does not answer. Try again in a moment; with the same Idempotency-Key nothing is done twice.",
      error,
    );
  }
  if (isLockTimeout(error)) {
    return tryAgain("Another request is changing the same thing. Nothing was done; try again in a moment.", error);
  }
  if (isMalformedPath(error)) {
    return new Problem("INVALID_REQUEST", "The path holds a percent-encoding that is not UTF-8.", { cause: error });
  }
  return new Problem("INTERNAL_ERROR", "Something failed on our side. Quote the request id when you ask about it.", {
    cause: error,
  });
}

function tryAgain(message: string, cause: unknown): Problem {
  return new Problem("UNAVAILABLE", message, { headers: { "Retry-After": "1" }, cause });
}

/** Express decodes path parameters itself and throws a URIError with status 400. */
function isMalformedPath(error: unknown): boolean {
  return error instanceof URIError && "status" in error && error.status === 400;
}
