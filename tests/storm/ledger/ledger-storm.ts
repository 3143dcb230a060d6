import { renderPromises, renderTable } from "../render-report.ts";
import type { StormCommand } from "../storm-command.ts";
import { runLedgerStorm, type LedgerStormReport } from "./run-ledger-storm.ts";

export const ledgerStorm: StormCommand<"clients" | "accounts" | "kills" | "restarts" | "seconds"> = {
  command: "npm run storm -- ledger",
  does: `Moves money by random operations of all services, while gateways and workers are killed and Postgres crashes, and judges the books meanwhile and in
the end.`,
  numbers: { clients: 64, accounts: 20, kills: 20, restarts: 2, seconds: 180 },
  example: "--seconds 30 --kills 4",
  starts: "Starting Postgres, the gateways and the workers",
  run: async ({ seconds, ...numbers }, context) => {
    const times = { stormMs: seconds * 1000, everyMs: 5_000, settleMs: 120_000 };
    const report = await runLedgerStorm({ ...numbers, ...context, ...times });
    return { text: renderLedgerReport(report), promises: report.promises };
  },
};

/** For a terminal. */
export function renderLedgerReport(report: LedgerStormReport): string {
  const operations = report.counts.map(({ name, answered, succeeded }) => [name, String(answered), String(succeeded)]);
  const refusals = report.counts.map(({ refused }) =>
    [...refused].map(([code, count]) => `${code} ${count}`).join(", "),
  );
  const kinds = report.kinds.map(({ number, kind, count }) => [`${number}. ${kind}`, String(count)]);
  return [
    "",
    `${report.ledgerTransactions} ledger transactions; ${report.lostTries} tries without an answer`,
    `${report.kills} gateways and workers killed, Postgres restarted ${report.restarts} times, ${report.snapshots} snapshots judged`,
    `${report.seconds.toFixed(0)} s`,
    "",
    ...renderTable([["operation", "answered", "succeeded"], ...operations]).map((line, index) =>
      `${line}  ${index === 0 ? "refused" : (refusals[index - 1] ?? "")}`.trimEnd(),
    ),
    "",
    ...renderTable([["judged, by the number of the promise", "at most at once"], ...kinds]),
    "",
    ...renderPromises(report.promises),
    ...report.faults.slice(0, 20).map((fault) => `        ${fault}`),
  ].join("\n");
}
