/** The report of a server under test. Times are in µs since its start, sizes in bytes. */
export type ServerReport = { cpuMicros: number; heapUsedBytes: number; rssBytes: number };

/** The ports on which the server listens. The gateway has a second one for its metrics. */
export type ServerPorts = { port: number; metricsPort?: number };

/** The request for a report. `collectGarbage` needs --expose-gc. */
export type ServerQuestion = { collectGarbage: boolean };

/**
 * Child side of `startBenchServer`: sends the ports, then responds to questions until the parent disconnects. `start`
 * gets the options from the parent.
 */
export async function serve<Options>(start: (options: Options) => Promise<ServerPorts>): Promise<void> {
  process.once("disconnect", () => process.exit());
  process.on("message", ({ collectGarbage }: ServerQuestion) => {
    if (collectGarbage) {
      globalThis.gc?.();
    }
    const { user, system } = process.cpuUsage();
    const { heapUsed, rss } = process.memoryUsage();
    const report: ServerReport = { cpuMicros: user + system, heapUsedBytes: heapUsed, rssBytes: rss };
    process.send?.(report);
  });
  // The parent wrote these arguments.
  process.send?.(await start(JSON.parse(process.argv[2] ?? "{}") as Options));
}
