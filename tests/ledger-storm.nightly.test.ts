import { chooseSeed, createTestFolder, recordSeed } from "@gateway/testkit";
import { expect, test } from "vitest";
import { renderLedgerReport } from "./storm/ledger/ledger-storm.ts";
import { runLedgerStorm } from "./storm/ledger/run-ledger-storm.ts";

test("killed gateways and workers and a crashed database leave whole books, and each answer true", async () => {
  const seed = chooseSeed();
  recordSeed(seed);
  const report = await runLedgerStorm({
    clients: 32,
    accounts: 5,
    kills: 4,
    restarts: 1,
    seed,
    stormMs: 30_000,
    everyMs: 3_000,
    settleMs: 90_000,
    folder: await createTestFolder(),
    print: () => {},
    signal: new AbortController().signal,
  });
  console.log(renderLedgerReport(report));
  expect({ broken: report.promises.filter(({ isKept }) => !isKept), faults: report.faults }).toEqual({
    broken: [],
    faults: [],
  });
  expect(report.snapshots).toBeGreaterThan(2);
}, 300_000);
