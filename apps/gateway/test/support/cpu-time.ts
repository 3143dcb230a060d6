/** The middle one: what a busy machine adds to one or two of the runs does not count. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The least: what the work itself costs. A busy machine only ever adds, and it may do so to most of the runs. */
export function bestOf(values: readonly number[]): number {
  return values.reduce((best, value) => Math.min(best, value), Number.POSITIVE_INFINITY);
}

/** Processor time in ms that this whole process used while `work` ran: the gateway, and the client that asks it. */
export async function cpuMsOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; cpuMs: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1000 };
}
