import { createRequestIds } from "@gateway/kernel";
import type { RequestHandler } from "express";
import type { GatewayObserver } from "../observer.ts";

/**
 * Stage 1. Gives the request its id, and reports it when its connection is done with it, answered or not. An id from
 * outside is never taken over: two requests would share it.
 */
export function beginCall({ observer }: { observer: GatewayObserver }): RequestHandler {
  const nextRequestId = createRequestIds();
  return (req, res, next) => {
    req.call = {
      requestId: nextRequestId(),
      startedAtMs: performance.now(),
      waitedMs: 0,
      refusal: null,
      principal: null,
      credentialProblem: null,
      rateLimit: null,
      operation: null,
      approvedFor: null,
      rawBody: null,
      query: null,
      problem: null,
    };
    res.once("close", () => observer.requestDone(req, res));
    next();
  };
}
