import { isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import { createOutageLog } from "@gateway/process";
import type { Request, Response } from "express";
import type { ConsoleMetrics } from "./metrics.ts";

export interface ConsoleObserver {
  requestDone(req: Request, res: Response): void;
  /** A fault of ours, or something that we need is away. */
  requestFailed(requestId: string, error: unknown): void;
}

/** One log line and one measurement a request. Neither holds the URL, a header, a body or who is signed in. */
export function createConsoleObserver({
  logger,
  metrics,
}: {
  logger: Logger;
  metrics: Pick<ConsoleMetrics, "requestDone">;
}): ConsoleObserver {
  const outageLog = createOutageLog({ logger });
  return {
    requestDone: (req, res) => {
      const { requestId, startedAtMs, route } = req.visit;
      const durationMs = performance.now() - startedAtMs;
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
    requestFailed: (requestId, error) => {
      if (isUnavailable(error)) {
        outageLog.failed(error);
        return;
      }
      logger.error({ requestId, err: error }, "request failed");
    },
  };
}
