import type { Upstream } from "@gateway/forwarding";
import type { EventRetention } from "@gateway/platform/events";
import { instruments } from "@gateway/platform/market-data";
import { addDatabaseMetrics, addGauges, type MeasuredDatabase } from "@gateway/process";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { RequestLogWriter } from "./request-log/request-log-writer.ts";

export interface GatewayMetrics {
  requestsLogged(count: number): void;
  requestsNotLogged(count: number): void;
  requestDone(operation: string, status: number, seconds: number): void;
  limitStoreFailed(): void;
  keySetNotRead(): void;
  responseMismatched(operation: string): void;
  upstreamDone(service: string, outcome: string, seconds: number): void;
  /** A round of a price feed had no price: fewer than three sources counted. */
  roundUndecided(symbol: string): void;
  /** Prometheus text exposition format 0.0.4. */
  render(): Promise<string>;
  contentType: string;
}

export type GatewayMetricsDeps = {
  isListening: () => boolean;
  database: MeasuredDatabase;
  eventRetention: Pick<EventRetention, "aheadMs">;
  upstreams: () => readonly Pick<Upstream, "service" | "isOpen">[];
  countWaiting: () => number;
  requestLog: () => Pick<RequestLogWriter, "buffered" | "lagMs"> | null;
  /** See `fingerprintUpstreams`. */
  upstreamsFingerprint: string;
};

/**
 * All values are read at each scrape. Labels take their values from the document, so the number of series is bounded.
 */
export function createGatewayMetrics(deps: GatewayMetricsDeps): GatewayMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  addOwnGauges(registry, deps);
  addDatabaseMetrics(registry, "gateway", deps.database);
  return {
    ...countRequests(registers),
    ...countFailures(registers),
    ...measureUpstreams(registers, deps),
    ...countLogged(registers),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

type Registers = Registry[];

function countRequests(registers: Registers): Pick<GatewayMetrics, "requestDone"> {
  const requests = new Counter({
    name: "gateway_requests_total",
    help: "Requests by operation of the document (none: no operation was reached) and status.",
    labelNames: ["operation", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "gateway_request_duration_seconds",
    help: "Time from the request's headers to the end of its response, without the time that it waited by waitSeconds.",
    labelNames: ["operation"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  return {
    requestDone: (operation, status, seconds) => {
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
  };
}

function countFailures(
  registers: Registers,
): Pick<GatewayMetrics, "limitStoreFailed" | "keySetNotRead" | "responseMismatched" | "roundUndecided"> {
  const storeFailures = new Counter({
    name: "gateway_rate_limit_store_failures_total",
    help: "Times the shared rate limit store did not answer; requests were then counted by this process alone.",
    registers,
  });
  const keyFailures = new Counter({
    name: "gateway_signing_keys_failures_total",
    help: "Times the identity provider's keys could not be read; the known ones stayed in force.",
    registers,
  });
  const mismatches = new Counter({
    name: "gateway_response_mismatches_total",
    help: "Answers that do not fit the document.",
    labelNames: ["operation"],
    registers,
  });
  const undecided = new Counter({
    name: "gateway_price_rounds_undecided_total",
    help: "Current price rounds that were requested and had no price, because fewer than three sources counted.",
    labelNames: ["symbol"],
    registers,
  });
  instruments.forEach(({ symbol }) => undecided.inc({ symbol }, 0));
  return {
    limitStoreFailed: () => storeFailures.inc(),
    keySetNotRead: () => keyFailures.inc(),
    responseMismatched: (operation) => mismatches.inc({ operation }),
    roundUndecided: (symbol) => undecided.inc({ symbol }),
  };
}

function measureUpstreams(
  registers: Registers,
  { upstreams, upstreamsFingerprint }: Pick<GatewayMetricsDeps, "upstreams" | "upstreamsFingerprint">,
): Pick<GatewayMetrics, "upstreamDone"> {
  const forwarded = new Counter({
    name: "gateway_upstream_requests_total",
    help: "Requests to upstreams by service and outcome (refused: the breaker was open or too many requests were in flight, so it was not sent).",
    labelNames: ["service", "outcome"],
    registers,
  });
  const forwardedDurations = new Histogram({
    name: "gateway_upstream_duration_seconds",
    help: "Time that a request to an upstream took, a second try included.",
    labelNames: ["service"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
    registers,
  });
  new Gauge({
    name: "gateway_upstreams_info",
    help: "1, with the fingerprint of which services are upstreams, and where: the same in all gateways and workers.",
    labelNames: ["fingerprint"],
    registers,
  }).set({ fingerprint: upstreamsFingerprint }, 1);
  new Gauge({
    name: "gateway_upstream_breaker_open",
    help: "1 while an upstream gets no requests because half of them failed.",
    labelNames: ["service"],
    registers,
    collect() {
      upstreams().forEach((upstream) => this.set({ service: upstream.service }, upstream.isOpen() ? 1 : 0));
    },
  });
  return {
    upstreamDone: (service, outcome, seconds) => {
      forwarded.inc({ service, outcome });
      forwardedDurations.observe({ service }, seconds);
    },
  };
}

function countLogged(registers: Registers): Pick<GatewayMetrics, "requestsLogged" | "requestsNotLogged"> {
  const logged = new Counter({
    name: "gateway_request_log_written_total",
    help: "Requests that were written into the request log.",
    registers,
  });
  const notLogged = new Counter({
    name: "gateway_request_log_dropped_total",
    help: "Requests that the request log could not keep, and tells as a gap.",
    registers,
  });
  return { requestsLogged: (count) => logged.inc(count), requestsNotLogged: (count) => notLogged.inc(count) };
}

function addOwnGauges(
  registry: Registry,
  { isListening, eventRetention, countWaiting, requestLog }: GatewayMetricsDeps,
): void {
  addGauges(registry, {
    gateway_credential_listener_up: {
      help: "1 while changes of keys are received within a second; at 0 every request asks the database.",
      read: () => (isListening() ? 1 : 0),
    },
    gateway_partitions_ahead_seconds: {
      help: "How far ahead the partitions for events reach; at least a week while maintenance runs, at 0 events are refused.",
      read: () => eventRetention.aheadMs() / 1000,
    },
    gateway_waiting_requests: {
      help: "Requests that wait for something to happen (waitSeconds).",
      read: countWaiting,
    },
    gateway_request_log_buffered: {
      help: "Requests that wait to be written into the request log; at 20,000 more are dropped.",
      read: () => requestLog()?.buffered() ?? 0,
    },
    gateway_request_log_lag_seconds: {
      help: "How long the oldest of them has waited; usually below a second.",
      read: () => (requestLog()?.lagMs() ?? 0) / 1000,
    },
  });
}
