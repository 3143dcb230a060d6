import type { RequestObserver } from "@gateway/process";
import { createRequestIds } from "@gateway/kernel";
import type { RequestHandler } from "express";
import { headersOfAll } from "./serve/page-headers.ts";

/** The data of a request in this server. */
type ConsoleVisit = {
  requestId: string;
  startedAtMs: number;
  /** For the log and the metrics: a route of this server, `page`, or the id of the requested operation. */
  route: string;
};

declare global {
  // Express offers this namespace for additions to its request.
  namespace Express {
    interface Request {
      visit: ConsoleVisit;
    }
  }
}

/** Gives the request a new id, and reports it when its connection closes, with or without a response. */
export function beginVisit({ observer }: { observer: Pick<RequestObserver, "requestDone"> }): RequestHandler {
  const nextRequestId = createRequestIds();
  return (req, res, next) => {
    req.visit = { requestId: nextRequestId(), startedAtMs: performance.now(), route: "none" };
    res.set({ ...headersOfAll, "X-Request-Id": req.visit.requestId });
    res.once("close", () => observer.requestDone(res, { ...req.visit, method: req.method }));
    next();
  };
}
