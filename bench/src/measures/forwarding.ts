import { compare } from "../compare.ts";
import { atLeast, round } from "../row.ts";
import type { Measure } from "./measure.ts";

const target = "/api/v1/wallets";
const connections = 16;

/**
 * What it costs to hand a request on: everything of the gateway, the signed principal and the check of the answer among it, against a proxy
 * that does nothing but hand on. Both ask the same upstream, which answers a page of twenty wallets.
 */
export const measureForwarding: Measure = async ({ installation, generator, startServer, quick }) => {
  const { production } = installation;
  const { key } = await production.createAccount();
  const upstream = await startServer("fixed-page.ts", {});
  const upstreamUrl = `http://127.0.0.1:${upstream.port}`;
  const servers = {
    gateway: await startServer("gateway.ts", production.gatewayOptions({ page: "database", upstreamUrl })),
    bare: await startServer("bare-proxy.ts", { upstreamUrl }),
  };
  const workload = { kind: "get", target, key } as const;
  const names = ["gateway", "bare"] as const;
  const result = await compare(
    generator,
    names.map((name) => ({ name, servers: [servers[name]], workload })),
    quick ? { rounds: 1, seconds: 0.2, connections } : { rounds: 7, seconds: 2, connections },
  );
  return {
    id: "t",
    name: `GET ${target}, handed on to an upstream`,
    checks: [atLeast(0.5, result.ratio("requestsPerSecond", "gateway", "bare"), "throughput / a bare undici proxy")],
    figures: Object.fromEntries(
      names.flatMap((name) => [
        [`${name}: requests/s`, round(result.median(name, "requestsPerSecond"))],
        [`${name}: ms, median`, round(result.median(name, "latencyMs"))],
        [`${name}: ms, p99`, round(result.median(name, "p99LatencyMs"))],
        [`${name}: µs CPU/request`, round(result.median(name, "cpuMicrosPerRequest"))],
        [`${name}: share of a core`, round(result.median(name, "busyShare"))],
      ]),
    ),
  };
};
