import type { Logger } from "@gateway/kernel";
import { createRequestObserver, type RequestMetrics, type RequestObserver } from "@gateway/process";
import type { Request, Response } from "express";

export interface AuthObserver extends Pick<RequestObserver, "requestFailed"> {
  requestDone(req: Request, res: Response, request: { requestId: string; startedAtMs: number }): void;
  /** Bytes came that are no request; the error's text may quote them, so only its code is logged. */
  unreadableRequest(requestId: string, status: number, error: NodeJS.ErrnoException): void;
}

export function createAuthObserver({ logger, metrics }: { logger: Logger; metrics: RequestMetrics }): AuthObserver {
  const { requestDone, requestFailed } = createRequestObserver({ logger, metrics });
  return {
    requestDone: (req, res, request) => requestDone(res, { ...request, method: req.method, route: routeOf(req) }),
    requestFailed,
    unreadableRequest: (requestId, status, error) => {
      metrics.requestDone("none", status, 0);
      logger.info({ requestId, route: "none", status, parseError: error.code }, "unreadable request");
    },
  };
}

/** As it was declared, `/interaction/:uid`: the address itself would tell more. */
function routeOf(req: Request): string {
  // Express types it as any; it is set when a route took the request.
  const { path } = (req.route ?? {}) as { path?: unknown };
  return typeof path === "string" ? path : "none";
}
