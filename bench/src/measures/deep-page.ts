import { compare } from "../compare.ts";
import { atMost, round } from "../row.ts";
import type { Measure } from "./measure.ts";

const target = "/api/v1/wallets";

/**
 * A page costs the same at any depth. One connection at a time, so that the time of an answer is the time of a page. The
 * cursor is made as the gateway makes it, because walking a million wallets to get it would take an hour.
 */
export const measureDeepPage: Measure = async ({ installation, generator, startServer, quick }) => {
  const { production } = installation;
  const depth = quick ? 10_000 : 1_000_000;
  const { accountId, key, walletIdAt } = await production.createAccount({ wallets: depth + 10_000 });
  const cursor = production.cursors.encode(`wallets ${accountId}`, walletIdAt(depth));
  const gateway = await startServer("gateway.ts", production.gatewayOptions({ page: "database" }));
  const result = await compare(
    generator,
    [
      { name: "first", servers: [gateway], workload: { kind: "get", target, key } },
      { name: "deep", servers: [gateway], workload: { kind: "get", target: `${target}?cursor=${cursor}`, key } },
    ],
    quick ? { rounds: 1, seconds: 0.2, connections: 1 } : { rounds: 11, seconds: 1, connections: 1 },
  );
  return {
    id: "c",
    name: `A page at depth ${depth} of an account's wallets`,
    checks: [atMost(1.2, result.ratio("latencyMs", "deep", "first"), "time / time of the first page")],
    figures: {
      "wallets in the account": depth + 10_000,
      "first page ms": round(result.median("first", "latencyMs")),
      "deep page ms": round(result.median("deep", "latencyMs")),
    },
  };
};
