import { createRequestIds, type Clock } from "@gateway/kernel";
import type { Request, RequestHandler, Response } from "express";
import type { GatewayObserver } from "../observer.ts";
import { incompleteBody } from "./read-body.ts";

/** An id from outside is never taken over: two requests would share it. Its time is Postgres'. */
export function beginCall({ observer, clock }: { observer: GatewayObserver; clock: Clock }): RequestHandler {
  const nextRequestId = createRequestIds(clock);
  return (req, res, next) => {
    req.call = {
      requestId: nextRequestId(),
      startedAtMs: performance.now(),
      waitedMs: 0,
      cohort: null,
      noted: { "limit-rate": null, "require-credential": null },
      principal: null,
      refusedHolder: null,
      rateLimit: null,
      operation: null,
      approvedFor: null,
      body: null,
      input: null,
      problem: null,
      answer: null,
    };
    observer.requestBegun(req.call);
    res.once("close", () => {
      refuseIncomplete(req, res);
      observer.requestDone(req, res);
    });
    next();
  };
}

/** Whoever reads the body hears only later that the rest will not come, and Node says 200 of what was not answered. */
function refuseIncomplete(req: Request, res: Response): void {
  if (req.complete || res.headersSent) {
    return;
  }
  const problem = incompleteBody();
  req.call.problem = problem;
  res.statusCode = problem.status;
}
