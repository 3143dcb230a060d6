import type { EventRetention } from "@gateway/platform";
import { addDatabaseMetrics, type MeasuredDatabase } from "@gateway/process";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export interface GatewayMetrics {
  requestDone(operation: string, status: number, seconds: number): void;
  limitStoreFailed(): void;
  keySetNotRead(): void;
  responseMismatched(operation: string): void;
  /** Prometheus text exposition format 0.0.4. */
  render(): Promise<string>;
  contentType: string;
}

export type GatewayMetricsDeps = {
  isListening: () => boolean;
  database: MeasuredDatabase;
  eventRetention: Pick<EventRetention, "aheadMs">;
};

/** All are asked at each scrape. Every label takes its values from the document, so the number of series is bounded. */
export function createGatewayMetrics({ isListening, database, eventRetention }: GatewayMetricsDeps): GatewayMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: "gateway_requests_total",
    help: "Requests by operation of the document (none: no operation was reached) and status.",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "gateway_request_duration_seconds",
    help: "Time from the request's headers to the end of its answer.",
    labelNames: ["operation"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const storeFailures = new Counter({
    name: "gateway_rate_limit_store_failures_total",
    help: "Times the shared rate limit store did not answer; requests were then counted by this process alone.",
    registers,
  });
  const keyFailures = new Counter({
    name: "gateway_signing_keys_failures_total",
    help: "Times the identity provider's keys could not be read; those that were known still counted.",
    registers,
  });
  const mismatches = new Counter({
    name: "gateway_response_mismatches_total",
    help: "Answers that do not fit the document.",
    labelNames: ["operation"],
    registers,
  });
  new Gauge({
    name: "gateway_credential_listener_up",
    help: "1 while changed keys are heard of within a second; at 0 every request asks the database.",
    registers,
    collect() {
      this.set(isListening() ? 1 : 0);
    },
  });
  new Gauge({
    name: "gateway_partitions_ahead_seconds",
    help: "For how long from now events have a place in the database; a week at least while maintenance runs, at 0 they are refused.",
    registers,
    collect() {
      this.set(eventRetention.aheadMs() / 1000);
    },
  });
  addDatabaseMetrics(registry, "gateway", database);
  return {
    requestDone: (operation, status, seconds) => {
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
    limitStoreFailed: () => storeFailures.inc(),
    keySetNotRead: () => keyFailures.inc(),
    responseMismatched: (operation) => mismatches.inc({ operation }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
