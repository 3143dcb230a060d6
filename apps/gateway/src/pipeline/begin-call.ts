import { createRequestIds, type Clock } from "@gateway/kernel";
import type { Request, RequestHandler, Response } from "express";
import type { GatewayObserver } from "../observer.ts";
import { incompleteBody } from "./read-body.ts";

/**
 * A request id sent by a client is never adopted, because two requests could share it. Ids carry the time of Postgres.
 */
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

/**
 * Records the refusal of a request whose body did not arrive whole. The reader of the body learns of that only later,
 * and Node reports status 200 for a request without a response.
 */
function refuseIncomplete(req: Request, res: Response): void {
  if (req.complete || res.headersSent) {
    return;
  }
  const problem = incompleteBody();
  req.call.problem = problem;
  res.statusCode = problem.status;
}
