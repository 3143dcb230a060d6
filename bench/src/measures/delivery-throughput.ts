import { createWebhookSecret } from "@gateway/platform/events";
import { redisServer } from "@gateway/testkit";
import { setTimeout as delay } from "node:timers/promises";
import { atLeast, median, round, type Check, type Row } from "../row.ts";
import type { BenchServer } from "../servers/bench-server.ts";
import { startSender, type Sender } from "../servers/sender.ts";
import { startSink, type Sink } from "../servers/start-sink.ts";
import { eventBody, openWebhookData, type BenchWebhook, type WebhookData } from "../setup/webhook-data.ts";
import { readProcessCpu } from "../setup/process-cpu.ts";
import { dispatcherOptions } from "./dispatcher-options.ts";
import type { Measure, MeasureContext } from "./measure.ts";

const bareTarget = "throughput / bare undici loop that signs";
const bullmqTarget = "throughput / BullMQ worker with fetch";
/** Five connections each: 60 in all, compared with 64 of the other senders. */
const webhookCount = 12;

/** `cpuMicros` is the processor time of one delivery, for each process that takes part. */
type Sample = { perSecond: number; cpuMicros: Record<string, number> };

/** Process ids by name, for the processes that all contenders share. */
type Shared = Record<string, number>;

/**
 * The deliveries per second that one dispatcher takes from the table, signs, sends to a sink and records. The sink is
 * on the same machine, behind 60 connections. It is compared with a loop of 64 connections without a queue and a
 * record, and with BullMQ. Contenders take turns, and each has the machine to itself in its turn. Postgres, Redis and
 * the sink share it with all of them.
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
    const shared = { Postgres: await data.readServerPid(), sink: sink.pid, ...(redis && { Redis: redis.pid }) };
    return await compareAll(context, { sink, data, bare, bullmq, shared });
  } finally {
    await Promise.all([bare.stop(), bullmq?.stop()]);
    await redis?.stop();
    await data.clear();
    await data.close();
    await sink.stop();
  }
};

type Parts = { sink: Sink; data: WebhookData; bare: Sender; bullmq: Sender | null; shared: Shared };

async function compareAll(context: MeasureContext, { sink, data, bare, bullmq, shared }: Parts): Promise<Row> {
  const { installation, quick, startServer } = context;
  const webhooks = await data.createWebhooks({ accounts: webhookCount, perAccount: 1, url: `${sink.origin}/hooks` });
  const dispatcher = await startServer("dispatcher.ts", dispatcherOptions(installation.production));
  const contenders: Contenders = {
    bare: { size: 60_000, work: bare },
    dispatcher: { size: 30_000, work: dispatcherWork({ data, dispatcher, sink, webhooks }) },
    ...(bullmq && { bullmq: { size: 12_000, work: bullmq } }),
  };
  const samples = await runInRounds(contenders, { rounds: quick ? 1 : 5, scale: quick ? 0.02 : 1, shared });
  return rowOf(samples);
}

/**
 * The number of deliveries in a run, and the code that runs them. `cpuMicros` is the time of the contender's own
 * process.
 */
type Contenders = Record<string, { size: number; work: Work }>;
type Work = Pick<Sender, "prepare" | "run">;

/** Warms up all contenders. Every second round runs in the opposite order. */
async function runInRounds(
  contenders: Contenders,
  { rounds, scale, shared }: { rounds: number; scale: number; shared: Shared },
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(Object.keys(contenders).map((name) => [name, []]));
  for (const { size, work } of Object.values(contenders)) {
    await sampleOf(work, Math.ceil((size * scale) / 3), shared);
  }
  for (let turn = 0; turn < rounds; turn += 1) {
    const entries = Object.entries(contenders);
    for (const [name, { size, work }] of turn % 2 === 0 ? entries : entries.toReversed()) {
      samples.get(name)?.push(await sampleOf(work, Math.ceil(size * scale), shared));
    }
  }
  return samples;
}

async function sampleOf(work: Work, count: number, shared: Shared): Promise<Sample> {
  const readShared = (): [string, number][] =>
    Object.entries(shared).map(([name, pid]) => [name, readProcessCpu(pid)] as const);
  await work.prepare(count);
  const before = new Map(readShared());
  const { seconds, cpuMicros } = await work.run(count);
  const spent = readShared().map(([name, micros]) => [name, (micros - (before.get(name) ?? 0)) / count] as const);
  return { perSecond: count / seconds, cpuMicros: { "its process": cpuMicros / count, ...Object.fromEntries(spent) } };
}

type DispatcherParts = { data: WebhookData; dispatcher: BenchServer; sink: Sink; webhooks: readonly BenchWebhook[] };

/** Runs from the commit that makes all deliveries due until the last outcome is on the disk. */
function dispatcherWork({ data, dispatcher, sink, webhooks }: DispatcherParts): Work {
  return {
    prepare: async (count) => {
      await sink.read({ reset: true });
      await data.prepareDue({ webhooks, count });
    },
    run: async (count) => {
      const before = await dispatcher.report();
      const startedAtMs = performance.now();
      await data.commit();
      while ((await sink.read()).count < count || (await data.hasPending())) {
        await delay(5);
      }
      const seconds = (performance.now() - startedAtMs) / 1000;
      const after = await dispatcher.report();
      return { seconds, cpuMicros: after.cpuMicros - before.cpuMicros };
    },
  };
}

function rowOf(samples: ReadonlyMap<string, readonly Sample[]>): Row {
  const rates = (name: string): number[] => (samples.get(name) ?? []).map(({ perSecond }) => perSecond);
  const ratio = (base: string): number =>
    median(rates("dispatcher").map((value, turn) => value / (rates(base)[turn] ?? Number.NaN)));
  const bullmqCheck: Check = samples.has("bullmq")
    ? atLeast(4, ratio("bullmq"), bullmqTarget)
    : { target: `${bullmqTarget} >= 4`, measured: null, outcome: "skipped" };
  const names = { dispatcher: "dispatcher", bare: "bare undici loop", bullmq: "BullMQ worker" };
  const figures = Object.entries(names)
    .filter(([name]) => samples.has(name))
    .flatMap(([name, label]) => [
      [`${label} deliveries/s`, round(median(rates(name)))],
      ...cpuFigures(label, samples.get(name) ?? []),
    ]);
  return {
    id: "g",
    name: "Deliveries with recorded attempts, one dispatcher",
    checks: [atLeast(0.5, ratio("bare"), bareTarget), bullmqCheck],
    figures: Object.fromEntries(figures) as Record<string, number>,
  };
}

/** Leaves out processes that took no part or whose time is unknown. */
function cpuFigures(label: string, samples: readonly Sample[]): [string, number][] {
  return Object.keys(samples[0]?.cpuMicros ?? {})
    .map((process) => [process, median(samples.map(({ cpuMicros }) => cpuMicros[process] ?? Number.NaN))] as const)
    .filter(([, micros]) => micros >= 1)
    .map(([process, micros]) => [`${label} µs CPU/delivery, ${process}`, round(micros)]);
}
