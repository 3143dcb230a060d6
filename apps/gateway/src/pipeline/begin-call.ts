import { createRequestIds, type Clock } from "@gateway/kernel";
import type { RequestHandler } from "express";
import type { GatewayObserver } from "../observer.ts";

/**
 * Stage 1. Gives the request its id, and reports it when its connection is done with it, answered or not. An id from
 * outside is never taken over: two requests would share it. Its time is Postgres', for it is where the request stands in the log.
 */
export function beginCall({ observer, clock }: { observer: GatewayObserver; clock: Clock }): RequestHandler {
  const nextRequestId = createRequestIds(clock);
  return (req, res, next) => {
    req.call = {
      requestId: nextRequestId(),
      startedAtMs: performance.now(),
      waitedMs: 0,
      cohort: null,
      refusal: null,
      principal: null,
      credentialProblem: null,
      refusedHolder: null,
      rateLimit: null,
      operation: null,
      approvedFor: null,
      rawBody: null,
      query: null,
      problem: null,
      answer: null,
    };
    observer.requestBegun(req.call);
    res.once("close", () => observer.requestDone(req, res));
    next();
  };
}
