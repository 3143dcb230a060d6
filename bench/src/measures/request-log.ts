import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { compare, type CompareOptions, type Comparison } from "../compare.ts";
import { atLeast, atMost, round } from "../row.ts";
import type { GatewayOptions } from "../servers/gateway.ts";
import { profileArguments, readShare } from "../setup/cpu-profile.ts";
import { readServerPid } from "../setup/process-cpu.ts";
import type { Measure, MeasureContext } from "./measure.ts";

const target = "/api/v1/wallets";
const connections = 16;
const perSecond = 1_000;
/** Longer than the log collects entries before it writes. */
const settleMs = 300;

type Contenders = "logging" | "silent";
type Pace = Pick<CompareOptions, "perSecond"> & { rounds: number; seconds: number };

/** The target: at most 4 of the 85 µs of a request for the page of (a). */
const mostShare = 0.047;

/**
 * The cost of logging and counting each request: the same page, in turns, of two accounts of one gateway, one of which
 * is not logged. Two gateways would differ by up to 40 µs a request for as long as they live, whatever they log. Rounds
 * are short and many, so that interference by another program affects few of the differences.
 *
 * One round differs from the next by more than the log takes. The gateway's part is therefore measured by profiles of
 * the page of (a), which is made from memory. They compare the functions of the log, and of the connection to Postgres,
 * which nothing else uses there, with all others. Throughput is that of the page of (b), because Postgres writes the
 * log meanwhile on the same machine. At an even pace, the measure also compares the latency of callers.
 */
export const measureRequestLog: Measure = async (context) => {
  const { production } = context.installation;
  const postgresPid = await pidOf(production.url);
  const share = (await profile(context, { isLogged: true })) - (await profile(context, { isLogged: false }));
  const start = (page: GatewayOptions["page"]) => startContenders(context, { page, postgresPid });
  const memory = await (await start("memory"))({ rounds: 41, seconds: 0.5 });
  const database = await start("database");
  const full = await database({ rounds: 41, seconds: 1 });
  const paced = await database({ rounds: 31, seconds: 1, perSecond });
  const more = (of: Comparison<Contenders>): number => round(of.difference("cpuMicrosPerRequest", "logging", "silent"));
  const silentMicros = memory.median("silent", "cpuMicrosPerRequest");
  return {
    id: "u",
    name: `GET ${target}, logged, against the same without the request log`,
    checks: [
      atLeast(0.95, full.ratio("requestsPerSecond", "logging", "silent"), "throughput / without the log"),
      atMost(mostShare, share, "of a request's CPU, page of (a)"),
      atMost(1, paced.difference("p99LatencyMs", "logging", "silent"), `p99 at ${perSecond}/s, ms more`),
    ],
    figures: {
      "page of (a), without: µs CPU/request": round(silentMicros),
      "page of (a), of these for the log": round(share * silentMicros),
      "page of (a), by difference": more(memory),
      "with the log: requests/s": round(full.median("logging", "requestsPerSecond")),
      "without: requests/s": round(full.median("silent", "requestsPerSecond")),
      "µs CPU a request more, by difference": more(full),
      [`the same at ${perSecond}/s`]: more(paced),
      "Postgres µs CPU/logged row": round(full.difference("postgresMicrosPerRequest", "logging", "silent")),
      [`with the log: p99 at ${perSecond}/s, ms`]: round(paced.median("logging", "p99LatencyMs")),
      [`without: p99 at ${perSecond}/s, ms`]: round(paced.median("silent", "p99LatencyMs")),
      [`with the log: requests/s of ${perSecond}`]: round(paced.median("logging", "requestsPerSecond")),
      "share of a core": round(full.median("logging", "busyShare")),
    },
  };
};

const ofTheLog = /\/request-log\/|\/node_modules\/(?:pg|pg-protocol|pg-pool|kysely)\/|\/packages\/database\//;

/**
 * The time that one gateway spends on the log and its database connection, in relation to all its other time. It
 * includes the few other uses of Postgres.
 */
async function profile(
  { installation, generator, startServer, quick }: MeasureContext,
  { isLogged }: { isLogged: boolean },
): Promise<number> {
  const { production } = installation;
  const { accountId, key } = await production.createAccount();
  const folder = await mkdtemp(join(installation.folder, "profile-"));
  const options = production.gatewayOptions({ page: "memory", ...(!isLogged && { unloggedAccountId: accountId }) });
  const server = await startServer("gateway.ts", options, { execArgv: profileArguments(folder) });
  const seconds = quick ? 0.2 : 20;
  const workload = { kind: "get", target, key } as const;
  for (const ofRun of [quick ? 0.2 : 5, seconds]) {
    await generator.run({ ports: [server.port], connections, workload, seconds: ofRun });
  }
  await server.stop();
  return readShare(folder, { seconds, isWithin: ({ url }) => ofTheLog.test(url) });
}

/** Starts a gateway with both accounts. The returned function compares them at a pace. */
async function startContenders(
  { installation, generator, startServer, quick }: MeasureContext,
  { page, postgresPid }: { page: GatewayOptions["page"]; postgresPid: number },
): Promise<(pace: Pace) => Promise<Comparison<Contenders>>> {
  const { production } = installation;
  const [logged, unlogged] = [
    await production.createAccount({ wallets: 10_000 }),
    await production.createAccount({ wallets: 10_000 }),
  ];
  const options = production.gatewayOptions({ page, unloggedAccountId: unlogged.accountId });
  const servers = [await startServer("gateway.ts", options)];
  return (pace) =>
    compare<Contenders>(
      generator,
      [
        { name: "silent", servers, workload: { kind: "get", target, key: unlogged.key } },
        { name: "logging", servers, workload: { kind: "get", target, key: logged.key } },
      ],
      { connections, settleMs, postgresPid, ...pace, ...(quick && { rounds: 1, seconds: 0.2 }) },
    );
}

async function pidOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await readServerPid(client);
  } finally {
    await client.end();
  }
}
