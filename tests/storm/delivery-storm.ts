import { behaviours } from "./behaviours.ts";
import { renderReport } from "./render-report.ts";
import { runStorm } from "./run-storm.ts";
import type { StormCommand } from "./storm-command.ts";

export const deliveryStorm: StormCommand<"events" | "endpoints" | "accounts" | "kills" | "restarts" | "seconds"> = {
  command: "npm run storm",
  does: `Sends events to receivers that fail in every way, while dispatchers are killed and Postgres crashes, and counts what became of each.
The other storm moves money: npm run storm -- ledger --help`,
  numbers: { events: 5_000, endpoints: behaviours.length, accounts: 5, kills: 20, restarts: 2, seconds: 60 },
  example: "--events 500 --seconds 20",
  starts: "Starting Postgres, the endpoints and the dispatchers",
  run: async ({ seconds, ...numbers }, context) => {
    const report = await runStorm({
      ...{ ...numbers, ...context },
      stormMs: seconds * 1000,
      settleMs: 450_000,
      // The whole schedule in 26 s.
      retryTimeScale: 2_000,
    });
    return { text: renderReport(report), promises: report.promises };
  },
};
