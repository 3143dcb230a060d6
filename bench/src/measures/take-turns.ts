import { median } from "../row.ts";
import { readProcessCpu } from "../setup/process-cpu.ts";

export type Turn = {
  /** Preparation, outside the measured time. */
  before?(): Promise<void>;
  /**
   * Works until `untilMs`, in ms of `performance.now()`, or until everything is done. Resolves to the amount of work
   * done.
   */
  run(untilMs: number): Promise<number>;
  after?(): Promise<void>;
};

type Sample = { perSecond: number; ourMicros: number; serverMicros: number };

export type Turns<Name extends string> = {
  median(name: Name, figure: keyof Sample): number;
  /**
   * Median over the rounds of one contender's figure divided by another's of the same round, so that drift of the
   * machine cancels out.
   */
  ratio(figure: keyof Sample, name: Name, base: Name): number;
};

export type TurnsOptions = {
  rounds: number;
  seconds: number;
  /** Process id of Postgres, whose processor time is measured together with ours. */
  serverPid: number;
  signal: AbortSignal;
};

/**
 * Measures contenders that run in this process, one at a time. All run once to warm up, then in rounds. Every second
 * round runs in the opposite order.
 */
export async function takeTurns<Name extends string>(
  contenders: Readonly<Record<Name, Turn>>,
  { rounds, seconds, serverPid, signal }: TurnsOptions,
): Promise<Turns<Name>> {
  // The keys of a record are its names.
  const names = Object.keys(contenders) as Name[];
  const samples = new Map<Name, Sample[]>(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      signal.throwIfAborted();
      const sample = await sampleOf(contenders[name], { seconds, serverPid });
      if (round >= 0) {
        samples.get(name)?.push(sample);
      }
    }
  }
  const valuesOf = (name: Name, figure: keyof Sample): number[] => (samples.get(name) ?? []).map((one) => one[figure]);
  return {
    median: (name, figure) => median(valuesOf(name, figure)),
    ratio: (figure, name, base) => {
      const baseValues = valuesOf(base, figure);
      return median(valuesOf(name, figure).map((value, round) => value / (baseValues[round] ?? Number.NaN)));
    },
  };
}

async function sampleOf(turn: Turn, { seconds, serverPid }: { seconds: number; serverPid: number }): Promise<Sample> {
  await turn.before?.();
  const before = process.cpuUsage();
  const serverBefore = readProcessCpu(serverPid);
  const startedAtMs = performance.now();
  const count = await turn.run(startedAtMs + seconds * 1000);
  const tookMs = performance.now() - startedAtMs;
  const { user, system } = process.cpuUsage(before);
  const serverMicros = (readProcessCpu(serverPid) - serverBefore) / count;
  await turn.after?.();
  return { perSecond: (count / tookMs) * 1000, ourMicros: (user + system) / count, serverMicros };
}

/** Runs `callers` loops concurrently until `untilMs`. Each repeats the work. Resolves to the number of calls. */
export async function together(
  callers: number,
  untilMs: number,
  work: (caller: number) => Promise<unknown>,
): Promise<number> {
  let done = 0;
  const run = async (caller: number): Promise<void> => {
    while (performance.now() < untilMs) {
      await work(caller);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, (_, caller) => run(caller)));
  return done;
}
