import { redisServer } from "@gateway/testkit";
import { compare } from "../compare.ts";
import { round, type Check, type Row } from "../row.ts";
import type { BenchServer } from "../servers/bench-server.ts";
import type { Measure, MeasureContext } from "./measure.ts";

const target = "/api/v1/wallets";
const connections = 32;
const name = "Two gateway processes sharing limits through Redis";
const cpuTarget = "CPU/request / one process without Redis <= 1.3";
const countTarget = "requests counted wrongly over both processes = 0";

/**
 * Two processes count in one Redis. Both get requests at the same time, together more than the limit allows within one
 * window. Exactly as many pass as the limit allows. The second check is the cost of counting together: the processor
 * time per request of both processes, without Redis. It is compared with one process that counts in memory under the
 * same load.
 */
export const measureSharedLimits: Measure = async (context) => {
  const redis = await redisServer();
  if (!redis) {
    const skipped = (text: string): Check => ({ target: text, measured: null, outcome: "skipped" });
    return { id: "f", name, checks: [skipped(countTarget), skipped(cpuTarget)], figures: {} };
  }
  try {
    return await measureWith(redis.url, context);
  } finally {
    await redis.stop();
  }
};

async function measureWith(redisUrl: string, context: MeasureContext): Promise<Row> {
  const { installation, generator, startServer, quick } = context;
  const { production } = installation;
  const { key } = await production.createAccount();
  const workload = { kind: "get", target, key } as const;
  const alone = await startServer("gateway.ts", production.gatewayOptions({ page: "memory" }));
  const together = [
    await startServer("gateway.ts", production.gatewayOptions({ page: "memory", redisUrl })),
    await startServer("gateway.ts", production.gatewayOptions({ page: "memory", redisUrl })),
  ];
  const count = await countExactly(context, together);
  const result = await compare(
    generator,
    [
      { name: "alone", servers: [alone], workload },
      { name: "together", servers: together, workload },
    ],
    quick ? { rounds: 1, seconds: 0.2, connections } : { rounds: 9, seconds: 2, connections },
  );
  const wrongly = Math.abs(count.passed - count.limit);
  const ratio = round(result.ratio("cpuMicrosPerRequest", "together", "alone"));
  return {
    id: "f",
    name,
    checks: [
      { target: countTarget, measured: wrongly, outcome: wrongly === 0 ? "met" : "not met" },
      { target: cpuTarget, measured: ratio, outcome: ratio <= 1.3 ? "met" : "not met" },
    ],
    figures: {
      "limit of the account": count.limit,
      "requests sent in one window": count.sent,
      "requests that passed": count.passed,
      "times that Redis did not answer in time": count.storeFailures,
      "two with Redis: µs CPU/request": round(result.median("together", "cpuMicrosPerRequest")),
      "one without Redis: µs CPU/request": round(result.median("alone", "cpuMicrosPerRequest")),
      "two with Redis: requests/s": round(result.median("together", "requestsPerSecond")),
      "one without Redis: requests/s": round(result.median("alone", "requestsPerSecond")),
    },
  };
}

async function countExactly(
  { installation, generator, quick }: MeasureContext,
  together: readonly BenchServer[],
): Promise<{ limit: number; sent: number; passed: number; storeFailures: number }> {
  const limit = quick ? 300 : 20_000;
  const sent = 2 * limit;
  const { key } = await installation.production.createAccount({ requestsPerMinute: limit });
  const ports = together.map(({ port }) => port);
  const { statuses, seconds } = await generator.run({
    ports,
    connections,
    workload: { kind: "get", target, key },
    requests: sent,
  });
  if (seconds > 55) {
    throw new Error(`The requests took ${seconds} s: more than the window they must fit into.`);
  }
  return { limit, sent, passed: statuses["200"] ?? 0, storeFailures: await sumStoreFailures(together) };
}

/**
 * The number of times that Redis did not respond within 60 ms. The process then counts alone for a second, which
 * explains a wrong count on a machine that is too busy.
 */
async function sumStoreFailures(servers: readonly BenchServer[]): Promise<number> {
  const counts = servers.map(async ({ metricsPort }) => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(/^gateway_rate_limit_store_failures_total (\d+)$/m.exec(metrics)?.[1]);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
