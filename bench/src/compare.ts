import { setTimeout } from "node:timers/promises";
import type { LoadGenerator } from "./load/load-generator.ts";
import type { Workload } from "./load/workload.ts";
import { median } from "./row.ts";
import type { BenchServer } from "./servers/bench-server.ts";
import { readProcessCpu } from "./setup/process-cpu.ts";

/**
 * One side of a comparison. Several servers can form one contender: they share the connections, and their processor
 * times are added.
 */
export type Contender<Name extends string> = { name: Name; servers: readonly BenchServer[]; workload: Workload };

type Sample = {
  requestsPerSecond: number;
  cpuMicrosPerRequest: number;
  /** Processor time of Postgres, or NaN without `postgresPid`. */
  postgresMicrosPerRequest: number;
  busyShare: number;
  latencyMs: number;
  p99LatencyMs: number;
};

export type Comparison<Name extends string> = {
  median(name: Name, figure: keyof Sample): number;
  /**
   * Median over the rounds of one contender's figure divided by another's of the same round, so that drift of the
   * machine cancels out.
   */
  ratio(figure: keyof Sample, name: Name, base: Name): number;
  /** Median over the rounds of the figure of `name` minus that of `base`. */
  difference(figure: keyof Sample, name: Name, base: Name): number;
};

export type CompareOptions = {
  rounds: number;
  seconds: number;
  connections: number;
  /** The expected status of each response, 200 by default. */
  status?: number;
  postgresPid?: number;
  /** Requests per second, evenly spaced. By default as many as the servers can take. */
  perSecond?: number;
  /** Time for the work that follows the responses. Its processor time counts too. */
  settleMs?: number;
};

/**
 * Warms up all contenders, then measures in rounds. Every second round runs in the opposite order. Throws when a
 * response has another status.
 */
export async function compare<Name extends string>(
  generator: LoadGenerator,
  contenders: readonly Contender<Name>[],
  options: CompareOptions,
): Promise<Comparison<Name>> {
  const samples = new Map<Name, Sample[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) {
    await measureOnce(generator, contender, options);
  }
  for (let round = 0; round < options.rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      samples.get(contender.name)?.push(await measureOnce(generator, contender, options));
    }
  }
  const valuesOf = (name: Name, figure: keyof Sample): number[] => (samples.get(name) ?? []).map((one) => one[figure]);
  return {
    median: (name, figure) => median(valuesOf(name, figure)),
    ratio: (figure, name, base) => {
      const baseValues = valuesOf(base, figure);
      return median(valuesOf(name, figure).map((value, round) => value / (baseValues[round] ?? Number.NaN)));
    },
    difference: (figure, name, base) => {
      const baseValues = valuesOf(base, figure);
      return median(valuesOf(name, figure).map((value, round) => value - (baseValues[round] ?? Number.NaN)));
    },
  };
}

async function measureOnce<Name extends string>(
  generator: LoadGenerator,
  { name, servers, workload }: Contender<Name>,
  { seconds, connections, status = 200, postgresPid, perSecond, settleMs = 0 }: CompareOptions,
): Promise<Sample> {
  const cpuMicros = async (): Promise<number> => {
    const reports = await Promise.all(servers.map((server) => server.report()));
    return reports.reduce((sum, report) => sum + report.cpuMicros, 0);
  };
  const postgresMicros = (): number => (postgresPid === undefined ? Number.NaN : readProcessCpu(postgresPid));
  const before = await cpuMicros();
  const postgresBefore = postgresMicros();
  const ports = servers.map(({ port }) => port);
  const result = await generator.run({
    ...{ ports, connections, workload, seconds },
    ...(perSecond !== undefined && { perSecond }),
  });
  await setTimeout(settleMs);
  const cpu = (await cpuMicros()) - before;
  const postgres = postgresMicros() - postgresBefore;
  if (result.statuses[status] !== result.requests) {
    throw new Error(`${name} gave other answers than ${status}: ${JSON.stringify(result.statuses)}`);
  }
  return {
    requestsPerSecond: result.requests / result.seconds,
    cpuMicrosPerRequest: cpu / result.requests,
    postgresMicrosPerRequest: postgres / result.requests,
    busyShare: cpu / (result.seconds * 1e6 * servers.length),
    latencyMs: result.medianLatencyMs,
    p99LatencyMs: result.p99LatencyMs,
  };
}
