import { createRequestMetrics, type MeasuredDatabase, type RequestMetrics } from "@gateway/process";

export function createAuthMetrics(database: MeasuredDatabase): RequestMetrics {
  return createRequestMetrics({
    name: "auth",
    help: {
      requests: "Requests by route (none: there is no such page) and status.",
      duration: "Time from the request's headers to the end of its response.",
    },
    database,
  });
}
