import { addDatabaseMetrics, type MeasuredDatabase } from "@gateway/process";
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

export interface ConsoleMetrics {
  requestDone(route: string, status: number, seconds: number): void;
  /** An access token ran out and was renewed, or was not. */
  refreshed(outcome: "renewed" | "over" | "unanswered"): void;
  /** Prometheus text exposition format 0.0.4. */
  render(): Promise<string>;
  contentType: string;
}

/** Every label takes its values from the routes and the document, so no caller can grow the number of series. */
export function createConsoleMetrics({ database }: { database: MeasuredDatabase }): ConsoleMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: "console_requests_total",
    help: "Requests by route (of the page: page, of nothing: none) and status.",
    labelNames: ["route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "console_request_duration_seconds",
    help: "Time from the request's headers to the end of its response, the gateway's part included.",
    labelNames: ["route"],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const refreshes = new Counter({
    name: "console_refreshes_total",
    help: "Expired access tokens by outcome: renewed, over (the session has ended), unanswered (the identity provider is away).",
    labelNames: ["outcome"],
    registers,
  });
  addDatabaseMetrics(registry, "console", database);
  return {
    requestDone: (route, status, seconds) => {
      requests.inc({ route, status });
      durations.observe({ route }, seconds);
    },
    refreshed: (outcome) => refreshes.inc({ outcome }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
