import pg from "pg";
import { compare, type CompareOptions } from "../compare.ts";
import { atLeast, atMost, round } from "../row.ts";
import { readServerPid } from "../setup/process-cpu.ts";
import type { Measure } from "./measure.ts";

const target = "/api/v1/wallets";
const connections = 16;
const perSecond = 1_000;
/** Longer than the log waits for more to write. */
const settleMs = 300;

/**
 * What it costs that each request is logged and counted: the page of (b) of two accounts of one gateway, one of which is not logged, by turns, as
 * fast as it answers and then at an even pace. Two gateways would differ by up to 40 µs a request, whatever they log, and for as long as they
 * live. As fast as it answers both cores are full, and all that is beside takes longer: what the gateway itself does for the log is told by
 * the even pace. What Postgres does for it meanwhile takes part of the machine from the one that logs. Rounds are short and many: what another
 * program does to one of them is in few of the differences.
 */
export const measureRequestLog: Measure = async ({ installation, generator, startServer, quick }) => {
  const { production } = installation;
  const [logged, unlogged] = [
    await production.createAccount({ wallets: 10_000 }),
    await production.createAccount({ wallets: 10_000 }),
  ];
  const gateway = await startServer(
    "gateway.ts",
    production.gatewayOptions({ page: "database", unloggedAccountId: unlogged.accountId }),
  );
  const servers = [gateway];
  const run = (options: Pick<CompareOptions, "perSecond">, rounds: number) =>
    compare(
      generator,
      [
        { name: "silent", servers, workload: { kind: "get", target, key: unlogged.key } },
        { name: "logging", servers, workload: { kind: "get", target, key: logged.key } },
      ],
      {
        ...(quick ? { rounds: 1, seconds: 0.2 } : { rounds, seconds: 1 }),
        connections,
        settleMs,
        postgresPid,
        ...options,
      },
    );
  const postgresPid = await pidOf(production.url);
  const full = await run({}, 41);
  const paced = await run({ perSecond }, 31);
  return {
    id: "u",
    name: `GET ${target}, logged, against the same without the request log`,
    checks: [
      atLeast(0.95, full.ratio("requestsPerSecond", "logging", "silent"), "throughput / without the log"),
      atMost(
        4,
        paced.difference("cpuMicrosPerRequest", "logging", "silent"),
        `µs CPU a request more at ${perSecond}/s`,
      ),
      atMost(1, paced.difference("p99LatencyMs", "logging", "silent"), `p99 at ${perSecond}/s, ms more`),
    ],
    figures: {
      "with the log: requests/s": round(full.median("logging", "requestsPerSecond")),
      "without: requests/s": round(full.median("silent", "requestsPerSecond")),
      "with the log: µs CPU/request": round(full.median("logging", "cpuMicrosPerRequest")),
      "without: µs CPU/request": round(full.median("silent", "cpuMicrosPerRequest")),
      "µs CPU a request more": round(full.difference("cpuMicrosPerRequest", "logging", "silent")),
      "Postgres µs CPU/logged row": round(full.difference("postgresMicrosPerRequest", "logging", "silent")),
      [`with the log: p99 at ${perSecond}/s, ms`]: round(paced.median("logging", "p99LatencyMs")),
      [`without: p99 at ${perSecond}/s, ms`]: round(paced.median("silent", "p99LatencyMs")),
      [`with the log: requests/s of ${perSecond}`]: round(paced.median("logging", "requestsPerSecond")),
      "share of a core": round(full.median("logging", "busyShare")),
    },
  };
};

async function pidOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await readServerPid(client);
  } finally {
    await client.end();
  }
}
