import type { Logger } from "@gateway/kernel";
import { createRequestObserver, type RequestMetrics, type RequestObserver } from "@gateway/process";
import type { Request, Response } from "express";

export interface AuthObserver extends Pick<RequestObserver, "requestFailed"> {
  requestDone(req: Request, res: Response, request: { requestId: string; startedAtMs: number }): void;
  /** The bytes received are not a request. The error's text may quote them, so only its code is logged. */
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

/** The route as declared, such as `/interaction/:uid`, because the full address would reveal more. */
function routeOf(req: Request): string {
  // Express types it as any. It is set when a route handled the request.
  const { path } = (req.route ?? {}) as { path?: unknown };
  return typeof path === "string" ? path : "none";
}
