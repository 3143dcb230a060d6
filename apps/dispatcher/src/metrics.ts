import type { AttemptOutcome, DeliveryQueue } from "@gateway/platform/events";
import { addDatabaseMetrics, addGauges, measureSeldom, type MeasuredDatabase } from "@gateway/process";
import type { BacklogWatch } from "./backlog-watch.ts";
import type { Lanes } from "./lanes.ts";
import type { StallWatch } from "./stall-watch.ts";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export interface DispatcherMetrics {
  attemptStarted(): void;
  attemptDone(attempt: { outcome: AttemptOutcome; durationMs: number; firstAttemptLatencyMs: number | null }): void;
  /** The attempt was not made, because it could not be signed. */
  attemptAbandoned(): void;
  claimDone(durationMs: number): void;
  mailDone(outcome: "sent" | "failed"): void;
  watch(sources: MetricsSources): void;
  /** Prometheus text exposition format 0.0.4. Queries the database about the queue at most once a second. */
  render(): Promise<string>;
  contentType: string;
}

export type MetricsDeps = {
  queue: Pick<DeliveryQueue, "measure">;
  database: MeasuredDatabase;
};

type MetricsSources = {
  lanes: Pick<Lanes, "measure">;
  stalls: Pick<StallWatch, "stalledMs">;
  backlogs: Pick<BacklogWatch, "backlog">;
};

export function createDispatcherMetrics(deps: MetricsDeps): DispatcherMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const attempts = new Counter({
    name: "dispatcher_attempts_total",
    help: "Attempts by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const underWay = new Gauge({
    name: "dispatcher_attempts_under_way",
    help: "Attempts that this process makes now.",
    registers,
  });
  const unsigned = new Counter({
    name: "dispatcher_deliveries_unsigned_total",
    help: "Attempts that were not made, because the webhook's secret is missing or does not open with ENCRYPTION_KEYS, so they could not be signed. The delivery is tried again in half a minute.",
    registers,
  });
  const claims = new Histogram({
    name: "dispatcher_claim_duration_seconds",
    help: "Time of a claim: of the query that takes turns at the queues of webhooks.",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const durations = new Histogram({
    name: "dispatcher_attempt_duration_seconds",
    help: "Time of an attempt, from the look-up of the name to the last byte read.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const latencies = new Histogram({
    name: "dispatcher_first_attempt_latency_seconds",
    help: "Time from the event to the beginning of its first attempt.",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30, 300],
    registers,
  });
  const mails = new Counter({
    name: "dispatcher_mails_total",
    help: "Mails by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  addQueueGauges(registry, deps);
  addDatabaseMetrics(registry, "dispatcher", deps.database);
  return {
    attemptStarted: () => underWay.inc(),
    attemptDone: ({ outcome, durationMs, firstAttemptLatencyMs }) => {
      underWay.dec();
      attempts.inc({ outcome });
      durations.observe(durationMs / 1000);
      if (firstAttemptLatencyMs !== null) {
        latencies.observe(Math.max(0, firstAttemptLatencyMs) / 1000);
      }
    },
    attemptAbandoned: () => {
      underWay.dec();
      unsigned.inc();
    },
    claimDone: (durationMs) => claims.observe(durationMs / 1000),
    watch: (sources) => addSourceGauges(registry, sources),
    mailDone: (outcome) => mails.inc({ outcome }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function addSourceGauges(registry: Registry, { lanes, stalls, backlogs }: MetricsSources): void {
  addGauges(registry, {
    dispatcher_slots_held: {
      help: "Attempts of this process that are in flight or not recorded yet.",
      read: () => lanes.measure().openCount,
    },
    dispatcher_slots_unproven: {
      help: "Of them, those of receivers that never answered well or took over a second the last time: half of the slots at most.",
      read: () => lanes.measure().unprovenCount,
    },
    dispatcher_webhooks_unproven: {
      help: "How many webhooks hold these.",
      read: () => lanes.measure().unprovenLaneCount,
    },
    dispatcher_stalled_seconds: {
      help: "For how long this process has known of deliveries that are due and had none in flight; 0 when all is well.",
      read: () => stalls.stalledMs() / 1000,
    },
    dispatcher_webhooks_failed_holding: {
      help: "Webhooks that are failed and hold deliveries until they are enabled; at most 10,000 of the failed ones are examined, once a minute. NaN: the database did not answer.",
      read: () => backlogs.backlog().failedWebhookCount,
    },
    dispatcher_mails_waiting: {
      help: "Mails of all processes that are written and neither sent nor given up, 10,000 at most; counted once a minute. NaN: the database did not answer.",
      read: () => backlogs.backlog().waitingMailCount,
    },
    dispatcher_mails_oldest_seconds: {
      help: "How long the oldest of them has waited; it is given up after about three days.",
      read: () => backlogs.backlog().oldestMailMs / 1000,
    },
  });
}

function addQueueGauges(registry: Registry, { queue }: Pick<MetricsDeps, "queue">): void {
  const measure = measureSeldom(() => queue.measure());
  addGauges(registry, {
    dispatcher_queue_due: {
      help: "Deliveries that are due, those in flight included, in all processes; of one webhook at most 10,000 are counted. NaN: the database did not answer.",
      read: async () => (await measure())?.dueCount ?? Number.NaN,
    },
    dispatcher_queue_oldest_due_seconds: {
      help: "How long the oldest of them has been due. NaN: the database did not answer.",
      read: async () => ((await measure())?.oldestDueMs ?? Number.NaN) / 1000,
    },
  });
}
