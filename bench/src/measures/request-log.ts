import pg from "pg";
import { compare, type CompareOptions, type Comparison } from "../compare.ts";
import { atLeast, atMost, round } from "../row.ts";
import type { GatewayOptions } from "../servers/gateway.ts";
import { readServerPid } from "../setup/process-cpu.ts";
import type { Measure, MeasureContext } from "./measure.ts";

const target = "/api/v1/wallets";
const connections = 16;
const perSecond = 1_000;
/** Longer than the log waits for more to write. */
const settleMs = 300;

type Contenders = "logging" | "silent";
type Pace = Pick<CompareOptions, "perSecond"> & { rounds: number; seconds: number };

/**
 * What it costs that each request is logged and counted: the same page of two accounts of one gateway, one of which is not logged, by turns. Two
 * gateways would differ by up to 40 µs a request, whatever they log, and for as long as they live. Rounds are short and many: what another program
 * does to one of them is in few of the differences.
 *
 * Of the page of (a), which is made from memory, the processor time is compared: a request takes 85 µs there, and the same one always, so that
 * 4 can be seen. Of the page of (b), from Postgres, throughput is, for Postgres writes meanwhile what the log says; and, at an even pace, what a
 * caller waits. The processor time of that one differs by 57 µs from round to round, whatever is logged.
 */
export const measureRequestLog: Measure = async (context) => {
  const { production } = context.installation;
  const postgresPid = await pidOf(production.url);
  const start = (page: GatewayOptions["page"]) => startContenders(context, { page, postgresPid });
  const memory = await start("memory");
  const parts = await memory({ rounds: 121, seconds: 0.3 });
  const database = await start("database");
  const full = await database({ rounds: 41, seconds: 1 });
  const paced = await database({ rounds: 31, seconds: 1, perSecond });
  const moreMicros = (of: Comparison<Contenders>): number => of.difference("cpuMicrosPerRequest", "logging", "silent");
  return {
    id: "u",
    name: `GET ${target}, logged, against the same without the request log`,
    checks: [
      atLeast(0.95, full.ratio("requestsPerSecond", "logging", "silent"), "throughput / without the log"),
      atMost(4, moreMicros(parts), "µs CPU a request more, page of (a)"),
      atMost(1, paced.difference("p99LatencyMs", "logging", "silent"), `p99 at ${perSecond}/s, ms more`),
    ],
    figures: {
      "with the log: requests/s": round(full.median("logging", "requestsPerSecond")),
      "without: requests/s": round(full.median("silent", "requestsPerSecond")),
      "page of (a), with the log: µs CPU/request": round(parts.median("logging", "cpuMicrosPerRequest")),
      "page of (a), without: µs CPU/request": round(parts.median("silent", "cpuMicrosPerRequest")),
      "µs CPU a request more": round(moreMicros(full)),
      [`µs CPU a request more at ${perSecond}/s`]: round(moreMicros(paced)),
      "Postgres µs CPU/logged row": round(full.difference("postgresMicrosPerRequest", "logging", "silent")),
      [`with the log: p99 at ${perSecond}/s, ms`]: round(paced.median("logging", "p99LatencyMs")),
      [`without: p99 at ${perSecond}/s, ms`]: round(paced.median("silent", "p99LatencyMs")),
      [`with the log: requests/s of ${perSecond}`]: round(paced.median("logging", "requestsPerSecond")),
      "share of a core": round(full.median("logging", "busyShare")),
    },
  };
};

/** A gateway with both accounts, to be compared at one pace after another. */
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
