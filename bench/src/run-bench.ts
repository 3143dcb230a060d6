import { join } from "node:path";
import type { BenchArguments, MeasureId } from "./arguments.ts";
import { startLoadGenerator } from "./load/load-generator.ts";
import { measureDatabasePage } from "./measures/database-page.ts";
import type { Measure, MeasureContext } from "./measures/measure.ts";
import { measureDeliveryLatency } from "./measures/delivery-latency.ts";
import { measureDeliveryThroughput } from "./measures/delivery-throughput.ts";
import { measureLedgerPost } from "./measures/ledger-post.ts";
import { measureMemoryGrowth } from "./measures/memory-growth.ts";
import { measureMemoryPage } from "./measures/memory-page.ts";
import { measurePayments } from "./measures/payments.ts";
import { measureRequestLog } from "./measures/request-log.ts";
import { measureSharedLimits } from "./measures/shared-limits.ts";
import { measureStartTime } from "./measures/start-time.ts";
import { measureTokenExchange } from "./measures/token-exchange.ts";
import { measureWorkerThroughput } from "./measures/worker-throughput.ts";
import type { Row } from "./row.ts";
import { startBenchServer, type BenchServer } from "./servers/bench-server.ts";
import { startInstallation } from "./setup/installation.ts";

const measures: Readonly<Record<MeasureId, Measure>> = {
  a: measureMemoryPage,
  b: measureDatabasePage,
  d: measureMemoryGrowth,
  e: measureStartTime,
  f: measureSharedLimits,
  g: measureDeliveryThroughput,
  h: measureDeliveryLatency,
  l: measureTokenExchange,
  n: measureLedgerPost,
  o: measureWorkerThroughput,
  p: measurePayments,
  u: measureRequestLog,
};

export type BenchOptions = Pick<BenchArguments, "only" | "quick"> & {
  onProgress: (line: string) => void;
  /** Aborts the running measure. */
  signal: AbortSignal;
};

export type BenchResult = {
  rows: readonly Row[];
  /** The measures that failed and why, a sentence each. */
  failures: readonly string[];
};

/**
 * Takes the measures one after another, on data of its own, and removes everything afterwards. A measure that fails,
 * for example because this machine lacks a tool, does not affect the others. When the signal aborts, completed measures
 * are kept.
 */
export async function runBench({ only, quick, onProgress, signal }: BenchOptions): Promise<BenchResult> {
  onProgress("Starting Postgres.");
  const installation = await startInstallation();
  const generator = startLoadGenerator();
  const context = { installation, generator, quick };
  try {
    return await takeMeasures(only, { onProgress, signal, take: (id) => takeMeasure(measures[id], context, signal) });
  } finally {
    await generator.stop();
    await installation.stop();
  }
}

type TakeOptions = Pick<BenchOptions, "onProgress" | "signal"> & { take(id: MeasureId): Promise<Row> };

export async function takeMeasures(
  only: readonly MeasureId[],
  { onProgress, signal, take }: TakeOptions,
): Promise<BenchResult> {
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const [index, id] of only.entries()) {
    onProgress(`Measuring (${id}), ${index + 1} of ${only.length}.`);
    try {
      rows.push(await take(id));
    } catch (error) {
      failures.push(`(${id}) was not measured: ${error instanceof Error ? error.message : String(error)}`);
      if (signal.aborted) {
        break;
      }
      onProgress(failures.at(-1) ?? "");
    }
  }
  return { rows, failures };
}

async function takeMeasure(
  measure: Measure,
  context: Omit<MeasureContext, "startServer" | "signal">,
  signal: AbortSignal,
): Promise<Row> {
  const servers: BenchServer[] = [];
  const logFile = join(context.installation.folder, "servers.log");
  let taken: Promise<Row> | undefined;
  try {
    taken = measure({
      ...context,
      signal,
      startServer: async (file, options, child) => {
        const server = await startBenchServer(file, options, { logFile, ...child });
        servers.push(server);
        if (signal.aborted) {
          await server.stop();
        }
        return server;
      },
    });
    return await Promise.race([taken, untilAborted(signal)]);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    // An aborted measure finds its servers gone, and removes what it started itself.
    await Promise.allSettled([taken]);
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    // main.ts always aborts with an Error.
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    signal.throwIfAborted();
  });
}
