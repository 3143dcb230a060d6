import type { Inbox, WorkQueue } from "@gateway/engine/work";
import type { WorkOutcome } from "@gateway/platform/compose/run-work-item";
import { instruments } from "@gateway/platform/market-data";
import { addDatabaseMetrics, addGauges, measureSeldom, type MeasuredDatabase } from "@gateway/process";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export interface WorkerMetrics {
  itemDone(item: { kind: string; outcome: WorkOutcome | "failed"; durationMs: number }): void;
  alarmed(item: { kind: string }): void;
  /** A round of a price feed had no price: fewer than three sources counted. */
  roundUndecided(symbol: string): void;
  /** Prometheus text exposition format 0.0.4. Queries the database for waiting work at most once a second. */
  render(): Promise<string>;
  contentType: string;
}

export type WorkerMetricsDeps = {
  queue: Pick<WorkQueue, "measure">;
  inbox: Pick<Inbox, "measure">;
  database: MeasuredDatabase;
  /** Kinds of work. Each begins with 0 alarms, because a rise is seen only in an existing series. */
  kinds: readonly string[];
  /** See `fingerprintUpstreams`. */
  upstreamsFingerprint: string;
};

export function createWorkerMetrics({
  queue,
  inbox,
  database,
  kinds,
  upstreamsFingerprint,
}: WorkerMetricsDeps): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const items = new Counter({
    name: "worker_items_total",
    help: "Work items by kind and outcome. Lost: another worker had it by then, and nothing was done.",
    labelNames: ["kind", "outcome"],
    registers,
  });
  const alarms = new Counter({
    name: "worker_alarms_total",
    help: "Work that a person has to look at, by kind: payment.silence is a rail that does not report the outcome of a payment. The log names each.",
    labelNames: ["kind"],
    registers,
  });
  kinds.forEach((kind) => alarms.inc({ kind }, 0));
  const undecided = new Counter({
    name: "worker_price_rounds_undecided_total",
    help: "Current price rounds that were needed and had no price, because fewer than three sources counted.",
    labelNames: ["symbol"],
    registers,
  });
  instruments.forEach(({ symbol }) => undecided.inc({ symbol }, 0));
  new Gauge({
    name: "worker_upstreams_info",
    help: "1, with the fingerprint of which services are upstreams, and where: the same in all gateways and workers.",
    labelNames: ["fingerprint"],
    registers,
  }).set({ fingerprint: upstreamsFingerprint }, 1);
  const durations = new Histogram({
    name: "worker_item_duration_seconds",
    help: "Time of a work item, from its handler's beginning to its commit or its failure.",
    labelNames: ["kind"],
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 20],
    registers,
  });
  addQueueGauges(registry, queue);
  addInboxGauges(registry, inbox);
  addDatabaseMetrics(registry, "worker", database);
  return {
    itemDone: ({ kind, outcome, durationMs }) => {
      items.inc({ kind, outcome });
      durations.observe({ kind }, durationMs / 1000);
    },
    alarmed: ({ kind }) => alarms.inc({ kind }),
    roundUndecided: (symbol) => undecided.inc({ symbol }),
    render: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function addQueueGauges(registry: Registry, queue: WorkerMetricsDeps["queue"]): void {
  const measure = measureSeldom(() => queue.measure());
  addGauges(registry, {
    worker_queue_due: {
      help: "Work items that are due and unclaimed, of all processes; 10,000 at most. NaN: the database did not answer.",
      read: async () => (await measure())?.dueCount ?? Number.NaN,
    },
    worker_queue_oldest_due_seconds: {
      help: "How long the oldest of them has been due. NaN: the database did not answer.",
      read: async () => ((await measure())?.oldestDueMs ?? Number.NaN) / 1000,
    },
    worker_queue_failing: {
      help: "Work items that failed 20 times in a row or more; they are retried every five minutes. NaN: the database did not answer.",
      read: async () => (await measure())?.failingCount ?? Number.NaN,
    },
  });
}

function addInboxGauges(registry: Registry, inbox: WorkerMetricsDeps["inbox"]): void {
  const measure = measureSeldom(() => inbox.measure());
  addGauges(registry, {
    worker_facts_parked: {
      help: "Facts from outside that wait for a transition; 10,000 at most. NaN: the database did not answer.",
      read: async () => (await measure())?.parkedCount ?? Number.NaN,
    },
    worker_facts_oldest_parked_seconds: {
      help: "How long the oldest of them has waited. NaN: the database did not answer.",
      read: async () => ((await measure())?.oldestParkedMs ?? Number.NaN) / 1000,
    },
    worker_facts_alarming: {
      help: "Facts that wait for over ten minutes, that are not what is known, or that came twice and differed: admin facts list shows them. NaN: the database did not answer.",
      read: async () => (await measure())?.alarmingCount ?? Number.NaN,
    },
  });
}
