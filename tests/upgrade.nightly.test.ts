import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { runUpgrade } from "./upgrade/run-upgrade.ts";

/** The time for which both releases write. */
const seconds = Number(process.env["UPGRADE_SECONDS"] ?? 60);
/** The first five attempts of a delivery in 114 s, if each takes its 5 s. */
const retryTimeScale = 100;
const restartMs = 3_000;

/** There is no previous release yet, so the last commit stands in for it: see `releaseBefore`. */
test(`the release before and this one write for ${seconds} s: each event arrives, nobody waits longer than for a restart`, async () => {
  const startedAt = performance.now();
  const elapsed = (): string => ((performance.now() - startedAt) / 1000).toFixed(1).padStart(6);
  const gaps = { before: createGap(), now: createGap() };
  await runUpgrade({
    retryTimeScale,
    traffic: (release) => ({
      pause: () => delay(20),
      pauseBeforeRetry: () => delay(1_000),
      onSuccess: gaps[release].note,
    }),
    workTogether: async () => {
      gaps.now.begin();
      await delay(seconds * 1_000);
    },
    print: (line) => console.log(`${elapsed()} s  ${line}`),
  });
  for (const [name, { longestMs }] of Object.entries(gaps)) {
    console.log(`requests to the release ${name}: without an answer for ${longestMs().toFixed(0)} ms at most`);
    expect(longestMs()).toBeLessThan(restartMs);
  }
}, 600_000);

/** The longest time without a 2xx to any of the clients. */
function createGap(): { begin(): void; note(): void; longestMs(): number } {
  let answeredAt: number | null = null;
  let longestMs = 0;
  return {
    begin: () => {
      answeredAt = performance.now();
    },
    note: () => {
      const now = performance.now();
      longestMs = Math.max(longestMs, now - (answeredAt ?? now));
      answeredAt = now;
    },
    longestMs: () => longestMs,
  };
}
