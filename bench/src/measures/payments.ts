import { isDeepStrictEqual } from "node:util";
import type { LoadGenerator } from "../load/load-generator.ts";
import { compare } from "../compare.ts";
import { atLeast, atMost, round } from "../row.ts";
import type { BenchServer } from "../servers/bench-server.ts";
import { createPayers, type Payers } from "../setup/payers.ts";
import type { Measure } from "./measure.ts";

const connections = 64;
/**
 * Connections of the warm-up. A gateway that has just started, or that shares its machine, would refuse some of 64.
 * They would wait longer than a second for a database connection.
 */
const fewConnections = 8;
/** So many that 64 concurrent callers, who use them in turn, never meet in one wallet. */
const wallets = 1_024;

/**
 * Payments to counterparties, each with its hold, two events and their deliveries, through the whole gateway. The
 * comparison is an Express app that writes the same rows. Each has its own database on the one Postgres, made by the
 * same migrations. The gateway seals what is booked in its database. The bookings of the bare app are not sealed.
 */
export const measurePayments: Measure = async ({ installation, generator, startServer, quick }) => {
  const { production, sandbox } = installation;
  const all: Payers[] = [];
  try {
    for (const database of [production, sandbox]) {
      all.push(await createPayers(database, { currency: "EUR", wallets: quick ? fewConnections : wallets }));
    }
    // One for each of the two databases.
    const [ours, theirs] = all as [Payers, Payers];
    const gateway = await startServer("gateway.ts", production.gatewayOptions({ page: "database" }));
    const { accountId } = theirs;
    const bare = await startServer("bare-payments.ts", { databaseUrl: sandbox.url, accountId });
    for (const [server, { workload }] of [
      [gateway, ours],
      [bare, theirs],
    ] as const) {
      await generator.run({ ports: [server.port], connections: fewConnections, workload, seconds: quick ? 0.3 : 3 });
    }
    refuseOtherRows(await rowsOfOne(generator, gateway, ours), await rowsOfOne(generator, bare, theirs));
    const result = await compare(
      generator,
      [
        { name: "bare", servers: [bare], workload: theirs.workload },
        { name: "gateway", servers: [gateway], workload: ours.workload },
      ],
      {
        ...(quick ? { rounds: 1, seconds: 0.3, connections: fewConnections } : { rounds: 7, seconds: 3, connections }),
        ...{ status: 201, postgresPid: await ours.readServerPid() },
      },
    );
    return {
      id: "p",
      name: "POST /api/v1/payments to a counterparty, 64 clients",
      checks: [
        atLeast(0.5, result.ratio("requestsPerSecond", "gateway", "bare"), "throughput / bare Express with pg"),
        atMost(2, result.ratio("p99LatencyMs", "gateway", "bare"), "p99 / bare Express with pg"),
      ],
      figures: Object.fromEntries(
        (["gateway", "bare"] as const).flatMap((name) => [
          [`${name}: payments/s`, round(result.median(name, "requestsPerSecond"))],
          [`${name}: ms, median`, round(result.median(name, "latencyMs"))],
          [`${name}: ms, p99`, round(result.median(name, "p99LatencyMs"))],
          [`${name}: µs CPU/payment`, round(result.median(name, "cpuMicrosPerRequest"))],
          [`${name}: µs of Postgres/payment`, round(result.median(name, "postgresMicrosPerRequest"))],
          [`${name}: share of a core`, round(result.median(name, "busyShare"))],
        ]),
      ),
    };
  } finally {
    await Promise.all(all.map((payers) => payers.close()));
  }
};

type Rows = Record<string, number>;

/** The number of rows that one payment adds to each table. */
async function rowsOfOne(generator: LoadGenerator, { port }: BenchServer, payers: Payers): Promise<Rows> {
  const before = await payers.countRows();
  await generator.run({ ports: [port], connections: 1, workload: payers.workload, requests: 1 });
  const after = await payers.countRows();
  return Object.fromEntries(Object.entries(after).map(([table, count]) => [table, count - (before[table] ?? 0)]));
}

function refuseOtherRows(gateway: Rows, bare: Rows): void {
  if (!isDeepStrictEqual(gateway, bare)) {
    throw new Error(
      `Not the same rows: ${JSON.stringify(gateway)} of the gateway, ${JSON.stringify(bare)} of the bare app.`,
    );
  }
}
