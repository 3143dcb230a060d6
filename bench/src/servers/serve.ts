/** What a server under test tells about itself when it is asked. Times in µs since its start, sizes in bytes. */
export type ServerReport = { cpuMicros: number; heapUsedBytes: number; rssBytes: number };

/** Where it listens: the gateway has a second port for its metrics. */
export type ServerPorts = { port: number; metricsPort?: number };

/** What is asked of it: `collectGarbage` needs --expose-gc. */
export type ServerQuestion = { collectGarbage: boolean };

/**
 * Child side of `startBenchServer`: tells the ports, then answers questions until the parent lets go. `start` gets the
 * options that the parent gave.
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
