import type { Schemas } from "@gateway/contract";
import { request } from "undici";
import { atLeast, atMost, median, round } from "../row.ts";
import { createPayers } from "../setup/payers.ts";
import type { Measure } from "./measure.ts";

/** As many as one advance runs; the worker runs the others. */
const timers = 500;
/** More than any payment waits until it is handed to its rail, and then until that has paid it: not before what one advance left is run. */
const stages = { submission: 6, settlement: 24 * 60 * 60 } as const;

type Stage = keyof typeof stages;
type Advance = { seconds: number; transitions: number; remaining: number };

/**
 * An account whose clock is moved over 500 timers that are due by one request, twice: at first its payments are handed to the simulated
 * rail, then the rail tells that they are paid, and each is posted and told in two events with their deliveries. An advance gives up what
 * it has not begun after 1.5 s, so it counts as well how many it ran.
 */
export const measureClockAdvance: Measure = async ({ installation, generator, startServer, quick, signal }) => {
  const { sandbox } = installation;
  const gateway = await startServer("gateway.ts", sandbox.gatewayOptions({ page: "database" }));
  const count = quick ? 20 : timers;
  const advances: Record<Stage, Advance[]> = { submission: [], settlement: [] };
  for (let turn = 0; turn < (quick ? 1 : 5); turn += 1) {
    signal.throwIfAborted();
    // Of a new account, in which nothing else is due.
    const payers = await createPayers(sandbox, { currency: "USD", wallets: count });
    await payers.close();
    await generator.run({ ports: [gateway.port], connections: 16, workload: payers.workload, requests: count });
    for (const stage of ["submission", "settlement"] as const) {
      const first = await advance(gateway.port, payers.key, stages[stage]);
      advances[stage].push(first);
      // No worker runs here.
      for (let { remaining } = first; remaining > 0;) {
        ({ remaining } = await advance(gateway.port, payers.key, 1));
      }
    }
  }
  const medianOf = (stage: Stage, figure: keyof Advance): number => median(advances[stage].map((each) => each[figure]));
  return {
    id: "q",
    name: `POST /api/v1/sandbox/clock/advance over ${count} timers`,
    checks: (["submission", "settlement"] as const).flatMap((stage) => [
      atMost(2, medianOf(stage, "seconds"), `${stage} of payments, seconds`),
      atLeast(count, medianOf(stage, "transitions"), `${stage} of payments, timers that it ran`),
    ]),
    figures: Object.fromEntries(
      (["submission", "settlement"] as const).map((stage) => [
        `${stage}, ms a timer`,
        round((1000 * medianOf(stage, "seconds")) / medianOf(stage, "transitions")),
      ]),
    ),
  };
};

async function advance(port: number, key: string, seconds: number): Promise<Advance> {
  const startedAtMs = performance.now();
  const { statusCode, body } = await request(`http://127.0.0.1:${port}/api/v1/sandbox/clock/advance`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ seconds }),
  });
  const text = await body.text();
  if (statusCode !== 200) {
    throw new Error(`The advance was answered ${statusCode}: ${text}`);
  }
  const { data } = JSON.parse(text) as Schemas["SandboxClockAdvancedEnvelope"];
  const { transitions, remaining } = data;
  return { seconds: (performance.now() - startedAtMs) / 1000, transitions, remaining };
}
