import { createRequestIds } from "@gateway/kernel";
import type { RequestHandler } from "express";
import type { AuthObserver } from "./observer.ts";

/** Gives the request an id of ours, and reports it when its connection is done with it, answered or not. */
export function beginRequest({ observer }: { observer: AuthObserver }): RequestHandler {
  const nextRequestId = createRequestIds();
  return (req, res, next) => {
    const request = { requestId: nextRequestId(), startedAtMs: performance.now() };
    res.setHeader("X-Request-Id", request.requestId);
    res.once("close", () => observer.requestDone(req, res, request));
    next();
  };
}
