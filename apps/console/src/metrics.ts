import { createRequestMetrics, type MeasuredDatabase, type RequestMetrics } from "@gateway/process";
import { Counter } from "prom-client";

export interface ConsoleMetrics extends RequestMetrics {
  /** An access token expired and was renewed, or the renewal failed. */
  refreshed(outcome: "renewed" | "over" | "unanswered"): void;
}

export function createConsoleMetrics({ database }: { database: MeasuredDatabase }): ConsoleMetrics {
  const metrics = createRequestMetrics({
    name: "console",
    help: {
      requests: "Requests by route (of the page: page, of nothing: none) and status.",
      duration: "Time from the request's headers to the end of its response, the gateway's part included.",
    },
    database,
  });
  const refreshes = new Counter({
    name: "console_refreshes_total",
    help: "Expired access tokens by outcome: renewed, over (the session has ended), unanswered (the identity provider is away).",
    labelNames: ["outcome"],
    registers: [metrics.registry],
  });
  return { ...metrics, refreshed: (outcome) => refreshes.inc({ outcome }) };
}
