import { createRequestIds } from "@gateway/kernel";
import type { RequestHandler } from "express";
import type { AuthObserver } from "./observer.ts";

/** Gives the request a new id, and reports it when its connection closes, with or without a response. */
export function beginRequest({ observer }: { observer: AuthObserver }): RequestHandler {
  const nextRequestId = createRequestIds();
  return (req, res, next) => {
    const request = { requestId: nextRequestId(), startedAtMs: performance.now() };
    res.setHeader("X-Request-Id", request.requestId);
    res.once("close", () => observer.requestDone(req, res, request));
    next();
  };
}
