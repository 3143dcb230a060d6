import { addDatabaseMetrics, type MeasuredDatabase } from "@gateway/process";
import { collectDefaultMetrics, Counter, Histogram, Registry } from "prom-client";

export interface AuthMetrics {
  requestDone(route: string, status: number, seconds: number): void;
  /** Prometheus text exposition format 0.0.4. */
  render(): Promise<string>;
  contentType: string;
}

export type AuthMetricsDeps = {
  database: MeasuredDatabase;
};

/** Every label takes its values from the routes, so no caller can grow the number of series. */
export function createAuthMetrics({ database }: AuthMetricsDeps): AuthMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: "auth_requests_total",
    help: "Requests by route (none: there is no such page) and status.",
    labelNames: ["route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "auth_request_duration_seconds",
    help: "Time from the request's headers to the end of its answer.",
    labelNames: ["route"],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  addDatabaseMetrics(registry, "auth", database);
  return {
    requestDone: (route, status, seconds) => {
      requests.inc({ route, status });
      durations.observe({ route }, seconds);
    },
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
