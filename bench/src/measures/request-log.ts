import { compare } from "../compare.ts";
import { atLeast, atMost, round } from "../row.ts";
import type { Measure } from "./measure.ts";

const target = "/api/v1/wallets";
const connections = 16;

/**
 * What it costs that each request is logged and counted: the page of (b) from two gateways that differ in nothing else, by turns. What Postgres
 * does for it meanwhile takes part of the machine from the one that logs.
 */
export const measureRequestLog: Measure = async ({ installation, generator, startServer, quick }) => {
  const { production } = installation;
  const { key } = await production.createAccount({ wallets: 10_000 });
  const logging = await startServer("gateway.ts", production.gatewayOptions({ page: "database" }));
  const silent = await startServer("gateway.ts", production.gatewayOptions({ page: "database", logsNothing: true }));
  const workload = { kind: "get", target, key } as const;
  const result = await compare(
    generator,
    [
      { name: "silent", servers: [silent], workload },
      { name: "logging", servers: [logging], workload },
    ],
    quick ? { rounds: 1, seconds: 0.2, connections } : { rounds: 11, seconds: 2, connections },
  );
  const cpu = (name: "logging" | "silent"): number => result.median(name, "cpuMicrosPerRequest");
  return {
    id: "u",
    name: `GET ${target}, logged, against the same without the request log`,
    checks: [
      atLeast(0.95, result.ratio("requestsPerSecond", "logging", "silent"), "throughput / without the log"),
      atMost(4, cpu("logging") - cpu("silent"), "µs CPU a request more"),
    ],
    figures: {
      "with the log: requests/s": round(result.median("logging", "requestsPerSecond")),
      "without: requests/s": round(result.median("silent", "requestsPerSecond")),
      "with the log: µs CPU/request": round(cpu("logging")),
      "without: µs CPU/request": round(cpu("silent")),
      "with the log: p99, ms": round(result.median("logging", "p99LatencyMs")),
      "without: p99, ms": round(result.median("silent", "p99LatencyMs")),
      "share of a core": round(result.median("logging", "busyShare")),
    },
  };
};
