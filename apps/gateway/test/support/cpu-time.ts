/** The middle one: what a busy machine adds to one or two of the runs does not count. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Processor time in ms that this whole process used while `work` ran: the gateway, and the client that asks it. */
export async function cpuMsOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; cpuMs: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1000 };
}
