import { isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import { createOutageLog } from "@gateway/process";
import type { Request, Response } from "express";
import type { AuthMetrics } from "./metrics.ts";

export interface AuthObserver {
  requestDone(req: Request, res: Response, request: { requestId: string; startedAtMs: number }): void;
  /** Bytes came that are no request; the error's text may quote them, so only its code is logged. */
  unreadableRequest(requestId: string, status: number, error: NodeJS.ErrnoException): void;
  /** A fault of ours, or the database is away. */
  requestFailed(failure: { requestId: string | undefined; error: unknown }): void;
}

/** Logs and measures each request, without URL, header or body: those hold codes, tokens and passwords. */
export function createAuthObserver({ logger, metrics }: { logger: Logger; metrics: AuthMetrics }): AuthObserver {
  const outageLog = createOutageLog({ logger });
  return {
    requestDone: (req, res, { requestId, startedAtMs }) => {
      const durationMs = performance.now() - startedAtMs;
      const route = routeOf(req);
      metrics.requestDone(route, res.statusCode, durationMs / 1000);
      logger.info(
        {
          requestId,
          method: req.method,
          route,
          status: res.statusCode,
          durationMs: Math.round(durationMs * 100) / 100,
          isAnswered: res.writableFinished,
        },
        "request",
      );
    },
    unreadableRequest: (requestId, status, error) => {
      metrics.requestDone("none", status, 0);
      logger.info({ requestId, route: "none", status, parseError: error.code }, "unreadable request");
    },
    requestFailed: ({ requestId, error }) => {
      if (isUnavailable(error)) {
        outageLog.failed(error);
        return;
      }
      logger.error({ requestId, err: error }, "request failed");
    },
  };
}

/** As it was declared, `/interaction/:uid`: the address itself would tell more. */
function routeOf(req: Request): string {
  // Express types it as any; it is set when a route took the request.
  const { path } = (req.route ?? {}) as { path?: unknown };
  return typeof path === "string" ? path : "none";
}
