import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const slow = "**/*.slow.test.ts";
const ours = ["openapi", "packages", "apps", "bench", "tests"];

/**
 * `vitest run` runs what every change must pass; `vitest run --mode slow` runs the suites that take longer than 10 s each.
 * All share one Postgres, started by the global setup; each test file has a database of its own.
 */
export default defineConfig(({ mode }) => ({
  test: {
    include: ours.map((folder) => (mode === "slow" ? `${folder}/${slow}` : `${folder}/**/*.test.ts`)),
    exclude: mode === "slow" ? ["**/node_modules/**"] : ["**/node_modules/**", slow],
    globalSetup: ["packages/testkit/src/global-setup.ts"],
    maxWorkers: availableParallelism(),
    // Modules hold no state, so files may share them: a third of the processor time was loading them anew for each.
    isolate: mode === "slow",
    // A net for what hangs: on a busy machine a test takes ten times as long, and is as right.
    testTimeout: mode === "slow" ? 120_000 : 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    restoreMocks: true,
    // A test whose assertions are never reached shows nothing.
    expect: { requireAssertions: true },
  },
}));
