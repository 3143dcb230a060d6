/** The median, so that one or two runs on a busy machine do not count. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The minimum, which is the cost of the work itself. A busy machine only adds time, and may do so in most runs. */
export function bestOf(values: readonly number[]): number {
  return values.reduce((best, value) => Math.min(best, value), Number.POSITIVE_INFINITY);
}

/** Processor time in ms that the whole process used while `work` ran: the gateway and its client. */
export async function cpuMsOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; cpuMs: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1000 };
}
