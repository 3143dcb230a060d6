import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";

const ours = ["openapi", "packages", "apps", "bench", "tests"];
const tiersWithSuffix = ["edge", "system", "nightly"] as const;

type Tier = "facts" | (typeof tiersWithSuffix)[number];

/** `x.edge.test.ts` belongs to the tier edge. A file without the name of a tier belongs to facts. */
const filesOf = (tier: Tier): string[] =>
  ours.map((folder) => `${folder}/**/*${tier === "facts" ? "" : `.${tier}`}.test.ts`);

/** One project for each tier. `tests/README.md` says what each tier may use, and which promise each suite shows. */
function project(tier: Tier, test: NonNullable<Extract<TestProjectConfiguration, { test?: object }>["test"]>) {
  return {
    test: {
      name: tier,
      include: filesOf(tier),
      exclude: ["**/node_modules/**", ...(tier === "facts" ? tiersWithSuffix.flatMap(filesOf) : [])],
      restoreMocks: true,
      // The name otherwise means the packed files. The console's page is built from the source (tsconfig.base.json).
      alias: [{ find: /^gateway-api-client$/, replacement: join(import.meta.dirname, "packages/client/src/index.ts") }],
      // A test whose assertions are never reached shows nothing.
      expect: { requireAssertions: true },
      ...test,
    },
  };
}

/** Seeds the values that properties try. The tier nightly draws others every time. */
const seed = "packages/testkit/src/property-seed.ts";
/** Files share a worker, and so everything that they leave behind in it. */
const globals = "packages/testkit/src/kept-globals.ts";
const postgres = ["packages/testkit/src/global-setup.ts"];
// A limit for tests that hang: a busy machine takes ten times as long, and the result is still correct.
const net = (ms: number) => ({ testTimeout: ms, hookTimeout: ms });

export default defineConfig({
  test: {
    // Tests of the tiers edge and system often wait for Postgres or for a program.
    maxWorkers: availableParallelism() + 1,
    teardownTimeout: 30_000,
    projects: [
      // Modules hold no state, so files may share them: loading them for each file is a third of the processor time.
      project("facts", {
        ...net(60_000),
        isolate: false,
        setupFiles: ["packages/testkit/src/facts-only.ts", seed, globals],
      }),
      project("edge", { ...net(120_000), isolate: false, globalSetup: postgres, setupFiles: [seed, globals] }),
      project("system", { ...net(180_000), isolate: false, globalSetup: postgres, setupFiles: [seed, globals] }),
      project("nightly", { ...net(300_000), globalSetup: postgres, fileParallelism: false }),
    ],
  },
});
