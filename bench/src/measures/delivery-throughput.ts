import { createWebhookSecret } from "@gateway/platform";
import { redisServer } from "@gateway/testkit";
import { setTimeout as delay } from "node:timers/promises";
import { atLeast, median, round, type Check, type Row } from "../row.ts";
import type { BenchServer } from "../servers/bench-server.ts";
import { startSender, type Sender } from "../servers/sender.ts";
import { startSink, type Sink } from "../servers/start-sink.ts";
import { eventBody, openWebhookData, type BenchWebhook, type WebhookData } from "../setup/webhook-data.ts";
import { dispatcherOptions } from "./dispatcher-options.ts";
import type { Measure, MeasureContext } from "./measure.ts";

const bareTarget = "throughput / bare undici loop that signs";
const bullmqTarget = "throughput / BullMQ worker with fetch";
/** One account may hold a fifth of the slots and one endpoint five: with this many nothing but the machine limits. */
const accounts = 8;
const webhooksPerAccount = 8;

type Sample = { perSecond: number; cpuMicros: number };

/**
 * How many deliveries a second one dispatcher takes from the table, signs, sends over 64 connections to a sink on this machine, and
 * records; against what the same machine does without a queue and a record, and with BullMQ. Each has the machine to itself in
 * its turn; Postgres, Redis and the sink share it with all of them.
 */
export const measureDeliveryThroughput: Measure = async (context) => {
  const sink = await startSink();
  const data = await openWebhookData(context.installation.production);
  const redis = await redisServer();
  const { url: databaseUrl } = context.installation.production;
  const senderOptions = {
    origin: sink.origin,
    body: eventBody("0".repeat(26)),
    secret: createWebhookSecret(),
    databaseUrl,
    redisUrl: redis?.url ?? null,
  };
  const bare = startSender("bare-sender.ts", senderOptions);
  const bullmq = redis && startSender("bullmq-sender.ts", senderOptions);
  try {
    return await compareAll(context, { sink, data, bare, bullmq });
  } finally {
    await Promise.all([bare.stop(), bullmq?.stop()]);
    await redis?.stop();
    await data.clear();
    await data.close();
    await sink.stop();
  }
};

type Parts = { sink: Sink; data: WebhookData; bare: Sender; bullmq: Sender | null };

async function compareAll(context: MeasureContext, { sink, data, bare, bullmq }: Parts): Promise<Row> {
  const { installation, quick, startServer } = context;
  const webhooks = await data.createWebhooks({
    accounts,
    perAccount: webhooksPerAccount,
    url: `${sink.origin}/hooks`,
  });
  const dispatcher = await startServer("dispatcher.ts", dispatcherOptions(installation.production));
  const contenders: Record<string, (scale: number) => Promise<Sample>> = {
    bare: (scale) => runSender(bare, Math.ceil(60_000 * scale)),
    dispatcher: (scale) => runDispatcher({ data, dispatcher, sink, webhooks, count: Math.ceil(30_000 * scale) }),
    ...(bullmq && { bullmq: (scale: number) => runSender(bullmq, Math.ceil(12_000 * scale)) }),
  };
  const samples = await runInRounds(contenders, { rounds: quick ? 1 : 5, scale: quick ? 0.02 : 1 });
  return rowOf(samples);
}

/** Warms all of them up; every second round runs in the opposite order. */
async function runInRounds(
  contenders: Record<string, (scale: number) => Promise<Sample>>,
  { rounds, scale }: { rounds: number; scale: number },
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(Object.keys(contenders).map((name) => [name, []]));
  for (const run of Object.values(contenders)) {
    await run(scale / 3);
  }
  for (let turn = 0; turn < rounds; turn += 1) {
    const entries = Object.entries(contenders);
    for (const [name, run] of turn % 2 === 0 ? entries : entries.toReversed()) {
      samples.get(name)?.push(await run(scale));
    }
  }
  return samples;
}

async function runSender(sender: Sender, count: number): Promise<Sample> {
  const { seconds, cpuMicros } = await sender.run(count);
  return { perSecond: count / seconds, cpuMicros: cpuMicros / count };
}

type DispatcherRun = {
  data: WebhookData;
  dispatcher: BenchServer;
  sink: Sink;
  webhooks: readonly BenchWebhook[];
  count: number;
};

/** From the commit that makes all due until the last outcome is on the disk. */
async function runDispatcher({ data, dispatcher, sink, webhooks, count }: DispatcherRun): Promise<Sample> {
  await sink.read({ reset: true });
  const before = await dispatcher.report();
  await data.insertDue({ webhooks, count });
  const startedAtMs = performance.now();
  while ((await sink.read()).count < count || (await data.hasPending())) {
    await delay(5);
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  const after = await dispatcher.report();
  return { perSecond: count / seconds, cpuMicros: (after.cpuMicros - before.cpuMicros) / count };
}

function rowOf(samples: ReadonlyMap<string, readonly Sample[]>): Row {
  const values = (name: string, figure: keyof Sample): number[] => (samples.get(name) ?? []).map((one) => one[figure]);
  const ratio = (base: string): number =>
    median(
      values("dispatcher", "perSecond").map((value, turn) => value / (values(base, "perSecond")[turn] ?? Number.NaN)),
    );
  const bullmqCheck: Check = samples.has("bullmq")
    ? atLeast(1.5, ratio("bullmq"), bullmqTarget)
    : { target: `${bullmqTarget} >= 1.5`, measured: null, outcome: "skipped" };
  const names = { dispatcher: "dispatcher", bare: "bare undici loop", bullmq: "BullMQ worker" };
  const figures = Object.entries(names)
    .filter(([name]) => samples.has(name))
    .flatMap(([name, label]) => [
      [`${label} deliveries/s`, round(median(values(name, "perSecond")))],
      [`${label} µs CPU/delivery, its process alone`, round(median(values(name, "cpuMicros")))],
    ]);
  return {
    id: "g",
    name: "Deliveries with recorded attempts, one dispatcher",
    checks: [atLeast(0.5, ratio("bare"), bareTarget), bullmqCheck],
    figures: Object.fromEntries(figures) as Record<string, number>,
  };
}
