import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const slow = "**/*.slow.test.ts";
/** What measures times that other work of the machine would change. */
const alone = "**/*.alone.test.ts";
const ours = ["openapi", "packages", "apps", "bench", "tests"];

/**
 * `vitest run` runs what every change must pass; `vitest run --mode slow` runs the suites that take longer than 5 s each; `--mode alone` those that
 * want a quiet machine, one after the other.
 * All share one Postgres, started by the global setup; each test file has a database of its own.
 */
export default defineConfig(({ mode }) => ({
  test: {
    include: ours.map((folder) => `${folder}/${{ slow, alone }[mode] ?? "**/*.test.ts"}`),
    exclude: ["**/node_modules/**", ...[slow, alone].filter((named) => named !== { slow, alone }[mode])],
    globalSetup: ["packages/testkit/src/global-setup.ts"],
    maxWorkers: mode === "alone" ? 1 : availableParallelism(),
    // Modules hold no state, so files may share them: a third of the processor time was loading them anew for each.
    isolate: mode === "slow",
    // A net for what hangs: on a busy machine a test takes ten times as long, and is as right.
    testTimeout: mode === "test" ? 60_000 : 120_000,
    hookTimeout: mode === "test" ? 60_000 : 120_000,
    // Chromium can be too late for a wait where others share the machine: CI tries once more, and prints "(retry x1)". What does not hold is never tried again.
    ...(process.env["CI"] && { retry: { count: 1, condition: /^(?:locator|page|frame)\.\w+: Timeout / } }),
    teardownTimeout: 30_000,
    restoreMocks: true,
    // A test whose assertions are never reached shows nothing.
    expect: { requireAssertions: true },
  },
}));
