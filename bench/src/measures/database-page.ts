import { compare } from "../compare.ts";
import { atLeast, round } from "../row.ts";
import type { Measure } from "./measure.ts";

const target = "/api/v1/wallets";
const connections = 16;

/**
 * The first page of 10,000 wallets from Postgres, through the whole gateway. The comparison is an Express app that runs
 * the same prepared query through a pool of the same size. Postgres and the load take the same part of the machine from
 * both.
 */
export const measureDatabasePage: Measure = async ({ installation, generator, startServer, quick }) => {
  const { production } = installation;
  const { accountId, key } = await production.createAccount({ wallets: 10_000 });
  const gateway = await startServer("gateway.ts", production.gatewayOptions({ page: "database" }));
  const bare = await startServer("bare-postgres.ts", { databaseUrl: production.url, accountId });
  const workload = { kind: "get", target, key } as const;
  const result = await compare(
    generator,
    [
      { name: "bare", servers: [bare], workload },
      { name: "gateway", servers: [gateway], workload },
    ],
    quick ? { rounds: 1, seconds: 0.2, connections } : { rounds: 9, seconds: 2, connections },
  );
  return {
    id: "b",
    name: `GET ${target}, the page from Postgres`,
    checks: [atLeast(0.8, result.ratio("requestsPerSecond", "gateway", "bare"), "throughput / bare Express with pg")],
    figures: {
      "gateway requests/s": round(result.median("gateway", "requestsPerSecond")),
      "bare Express with pg requests/s": round(result.median("bare", "requestsPerSecond")),
      "gateway µs CPU/request": round(result.median("gateway", "cpuMicrosPerRequest")),
      "bare Express with pg µs CPU/request": round(result.median("bare", "cpuMicrosPerRequest")),
      "gateway's share of a core": round(result.median("gateway", "busyShare")),
      "bare Express's share of a core": round(result.median("bare", "busyShare")),
    },
  };
};
