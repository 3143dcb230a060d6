import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startCaller, type Caller, type Took } from "../load/caller.ts";
import { atLeast, median, round, type Row } from "../row.ts";
import type { Measure } from "./measure.ts";

type Name = "client" | "plain";

const apiKey = `gk_test_${"0".repeat(32)}_000000`;
const repository = new URL("../../../", import.meta.url);

/**
 * What the client costs who calls: a page of twenty wallets through the client as it is published, against `fetch` and `JSON.parse` by
 * hand, from a server that does next to nothing, so that the caller is what limits. They take many short turns, so
 * that what else the machine does meets both alike.
 */
export const measureClientCalls: Measure = async ({ startServer, quick }) => {
  await promisify(execFile)("npm", ["run", "build", "--workspace", "@gateway/client"], { cwd: repository });
  const { port } = await startServer("fixed-page.ts", {});
  const options = { origin: `http://127.0.0.1:${port}`, apiKey };
  const callers = { client: startCaller("client-caller.ts", options), plain: startCaller("plain-caller.ts", options) };
  try {
    return rowOf(
      await takeTurns(
        callers,
        quick ? { warmUp: 200, rounds: 1, count: 200 } : { warmUp: 100_000, rounds: 151, count: 500 },
      ),
    );
  } finally {
    await Promise.all(Object.values(callers).map((caller) => caller.stop()));
  }
};

type Round = Record<Name, Took>;

/** Warmed up first; every second round in the opposite order. */
async function takeTurns(
  callers: Record<Name, Caller>,
  { warmUp, rounds, count }: { warmUp: number; rounds: number; count: number },
): Promise<{ rounds: Round[]; count: number }> {
  await callers.client.run(warmUp);
  await callers.plain.run(warmUp);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) {
      const client = await callers.client.run(count);
      measured.push({ client, plain: await callers.plain.run(count) });
    } else {
      const plain = await callers.plain.run(count);
      measured.push({ plain, client: await callers.client.run(count) });
    }
  }
  return { rounds: measured, count };
}

function rowOf({ rounds, count }: { rounds: Round[]; count: number }): Row {
  const rate = (name: Name): number => round(median(rounds.map((one) => count / one[name].seconds)));
  const cpu = (name: Name): number => round(median(rounds.map((one) => one[name].cpuMicros / count)));
  const ratio = median(rounds.map(({ client, plain }) => plain.seconds / client.seconds));
  return {
    id: "m",
    name: "A page of wallets through the client",
    checks: [atLeast(0.85, ratio, "throughput / fetch and JSON.parse by hand")],
    figures: {
      "client calls/s": rate("client"),
      "by hand calls/s": rate("plain"),
      "client µs CPU/call": cpu("client"),
      "by hand µs CPU/call": cpu("plain"),
    },
  };
}
