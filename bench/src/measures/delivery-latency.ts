import { setTimeout as delay } from "node:timers/promises";
import { atMost, round } from "../row.ts";
import { startSink, type Sink } from "../servers/start-sink.ts";
import { openWebhookData, type BenchWebhook, type WebhookData } from "../setup/webhook-data.ts";
import { dispatcherOptions } from "./dispatcher-options.ts";
import type { Measure } from "./measure.ts";

const perSecond = 100;
const backlog = 100_000;
/** Each delivery has five attempts, so that nearly all slots are occupied. */
const lateWebhooks = { accounts: 24, perAccount: 4 };

/**
 * Time from the commit of an event to its arrival, at a rate far below the dispatcher's capacity. That is the time in
 * which it wakes and claims. The second part repeats this while a backlog stays due. The receivers of the backlog
 * respond late, but not so late that it counts as a failure.
 */
export const measureDeliveryLatency: Measure = async ({ installation, startServer, quick }) => {
  const sink = await startSink();
  const data = await openWebhookData(installation.production);
  try {
    const webhooks = await data.createWebhooks({ accounts: 8, perAccount: 1, url: `${sink.origin}/timed` });
    await startServer("dispatcher.ts", dispatcherOptions(installation.production));
    const measure = async (): Promise<number[]> => {
      await sendSteadily({ data, sink, webhooks, count: 50, perSecond });
      return sendSteadily({ data, sink, webhooks, count: quick ? 100 : 2000, perSecond });
    };
    const latencies = await measure();
    const late = await data.createWebhooks({ ...lateWebhooks, url: `${sink.origin}/late` });
    await data.insertDue({ webhooks: late, count: quick ? backlog / 100 : backlog });
    const besideBacklog = await measure();
    return {
      id: "h",
      name: `From commit to arrival, ${perSecond} events a second`,
      checks: [
        atMost(20, percentile(latencies, 0.95), "p95 ms"),
        atMost(20, percentile(besideBacklog, 0.95), "p95 ms beside 100,000 due"),
      ],
      figures: {
        ...figuresOf(latencies, ""),
        ...figuresOf(besideBacklog, " beside 100,000 due"),
        "still due at the end": await data.countPending(),
      },
    };
  } finally {
    await data.clear();
    await data.close();
    await sink.stop();
  }
};

function figuresOf(latencies: readonly number[], beside: string): Record<string, number> {
  return {
    [`p50 ms${beside}`]: round(percentile(latencies, 0.5)),
    [`p99 ms${beside}`]: round(percentile(latencies, 0.99)),
    [`slowest ms${beside}`]: round(percentile(latencies, 1)),
  };
}

type SteadyLoad = {
  data: WebhookData;
  sink: Sink;
  webhooks: readonly BenchWebhook[];
  count: number;
  perSecond: number;
};

/** Commits at fixed times, independently of the deliveries. Returns the ms from commit to arrival, ascending. */
async function sendSteadily({ data, sink, webhooks, count, perSecond }: SteadyLoad): Promise<number[]> {
  await sink.read({ reset: true });
  const committedAtMs = new Map<string, number>();
  const startedAtMs = performance.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startedAtMs + (index * 1000) / perSecond - performance.now()));
    const webhook = webhooks[index % webhooks.length];
    if (webhook) {
      const event = await data.commitOne(webhook);
      committedAtMs.set(event.eventId, event.committedAtMs);
    }
  }
  const arrivals = await waitForArrivals(sink, count);
  return arrivals.map(({ eventId, atMs }) => atMs - (committedAtMs.get(eventId) ?? Number.NaN)).sort((a, b) => a - b);
}

async function waitForArrivals(sink: Sink, count: number): Promise<{ eventId: string; atMs: number }[]> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const { arrivals } = await sink.read();
    if (arrivals.length >= count) {
      return arrivals;
    }
    if (performance.now() > deadline) {
      throw new Error(`Of ${count} deliveries only ${arrivals.length} arrived.`);
    }
    await delay(20);
  }
}

/** The value below which the share of the ascending values is. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
