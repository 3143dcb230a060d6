import { chooseSeed, createTestFolder, recordSeed } from "@gateway/testkit";
import { expect, test } from "vitest";
import { renderReport } from "./storm/render-report.ts";
import { runStorm } from "./storm/run-storm.ts";

test("killed dispatchers and a crashed database lose no event: each is delivered, or failed after six attempts", async () => {
  const seed = chooseSeed();
  recordSeed(seed);
  const report = await runStorm({
    events: 200,
    endpoints: 3,
    accounts: 1,
    kills: 3,
    restarts: 1,
    seed,
    stormMs: 8_000,
    settleMs: 90_000,
    retryTimeScale: 10_000,
    folder: await createTestFolder(),
    print: () => {},
  });
  console.log(renderReport(report));
  expect(report.acknowledged).toBe(200);
  expect(report.promises.filter(({ isKept }) => !isKept)).toEqual([]);
});
