import { isUnavailable } from "@gateway/database";
import type { Logger } from "@gateway/kernel";
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";
import { addDatabaseMetrics, type MeasuredDatabase } from "./database-metrics.ts";
import { createOutageLog } from "./outage-log.ts";

export type RequestMetrics = {
  registry: Registry;
  requestDone(route: string, status: number, seconds: number): void;
  /** Prometheus text exposition format 0.0.4. */
  render(): Promise<string>;
  contentType: string;
};

type RequestMetricsOptions = {
  /** The prefix of each series' name. */
  name: string;
  help: { requests: string; duration: string };
  database: MeasuredDatabase;
};

/** Counts and times requests. Labels take their values from the routes, so no caller can grow the number of series. */
export function createRequestMetrics({ name, help, database }: RequestMetricsOptions): RequestMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    ...{ name: `${name}_requests_total`, help: help.requests, labelNames: ["route", "status"], registers },
  });
  const durations = new Histogram({
    ...{ name: `${name}_request_duration_seconds`, help: help.duration, labelNames: ["route"], registers },
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  addDatabaseMetrics(registry, name, database);
  return {
    registry,
    requestDone: (route, status, seconds) => {
      requests.inc({ route, status });
      durations.observe({ route }, seconds);
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

type DoneRequest = { requestId: string; startedAtMs: number; method: string; route: string };

export interface RequestObserver {
  requestDone(res: { statusCode: number; writableFinished: boolean }, request: DoneRequest): void;
  /** Records our fault, or the outage of a system that we need. */
  requestFailed(failure: { requestId: string | undefined; error: unknown }): void;
}

/** Logs and measures each request, without URL, header or body: those hold codes, tokens and passwords. */
export function createRequestObserver({
  logger,
  metrics,
}: {
  logger: Logger;
  metrics: Pick<RequestMetrics, "requestDone">;
}): RequestObserver {
  const outageLog = createOutageLog({ logger });
  return {
    requestDone: ({ statusCode: status, writableFinished: isAnswered }, { requestId, startedAtMs, method, route }) => {
      const exactMs = performance.now() - startedAtMs;
      metrics.requestDone(route, status, exactMs / 1000);
      const durationMs = Math.round(exactMs * 100) / 100;
      logger.info({ requestId, method, route, status, durationMs, isAnswered }, "request");
    },
    requestFailed: ({ requestId, error }) => {
      if (isUnavailable(error)) {
        outageLog.failed(error);
      } else {
        logger.error({ requestId, err: error }, "request failed");
      }
    },
  };
}
