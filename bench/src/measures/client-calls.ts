import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startCaller, type Caller, type Took } from "../load/caller.ts";
import { atLeast, median, round, type Row } from "../row.ts";
import type { Measure } from "./measure.ts";

type Name = "client" | "plain" | "careful";

const apiKey = `gk_test_${"0".repeat(32)}_000000`;
const repository = new URL("../../../", import.meta.url);

/**
 * What the client costs who calls: a page of twenty wallets through the client as it is published, against `fetch` and `JSON.parse` by
 * hand, from a server that does next to nothing, so that the caller is what limits. They take many short turns, so that what else
 * the machine does meets all alike. Printed beside it: by hand with a timeout, which the client has too.
 */
export const measureClientCalls: Measure = async ({ startServer, quick }) => {
  await promisify(execFile)("npm", ["run", "build", "--workspace", "@gateway/client"], { cwd: repository });
  const { port } = await startServer("fixed-page.ts", {});
  const options = { origin: `http://127.0.0.1:${port}`, apiKey };
  const callers = {
    client: startCaller("client-caller.ts", options),
    plain: startCaller("plain-caller.ts", options),
    careful: startCaller("careful-caller.ts", options),
  };
  const turns = quick ? { warmUp: 200, rounds: 1, count: 200 } : { warmUp: 20_000, rounds: 151, count: 500 };
  try {
    return rowOf(await takeTurns(callers, turns), turns.count);
  } finally {
    await Promise.all(Object.values(callers).map((caller) => caller.stop()));
  }
};

type Round = Record<Name, Took>;
type Turns = { warmUp: number; rounds: number; count: number };

/** Warmed up first; every second round in the opposite order. */
async function takeTurns(callers: Record<Name, Caller>, { warmUp, rounds, count }: Turns): Promise<Round[]> {
  const takeRound = async (names: readonly Name[], calls: number): Promise<Round> => {
    const took: [Name, Took][] = [];
    for (const name of names) {
      took.push([name, await callers[name].run(calls)]);
    }
    // All names are in it.
    return Object.fromEntries(took) as Round;
  };
  const order: readonly Name[] = ["client", "plain", "careful"];
  await takeRound(order, warmUp);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await takeRound(round % 2 === 0 ? order : order.toReversed(), count));
  }
  return measured;
}

function rowOf(rounds: readonly Round[], count: number): Row {
  const rate = (name: Name): number => round(median(rounds.map((one) => count / one[name].seconds)));
  const cpu = (name: Name): number => round(median(rounds.map((one) => one[name].cpuMicros / count)));
  const ratio = (base: Name): number => median(rounds.map((one) => one[base].seconds / one.client.seconds));
  return {
    id: "m",
    name: "A page of wallets through the client",
    checks: [atLeast(0.85, ratio("plain"), "throughput / fetch and JSON.parse by hand")],
    figures: {
      "throughput / by hand with a timeout": round(ratio("careful")),
      "client calls/s": rate("client"),
      "by hand calls/s": rate("plain"),
      "by hand with a timeout calls/s": rate("careful"),
      "client µs CPU/call": cpu("client"),
      "by hand µs CPU/call": cpu("plain"),
      "by hand with a timeout µs CPU/call": cpu("careful"),
    },
  };
}
