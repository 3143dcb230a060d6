import { TestRunner, type RunnerTestCase, type TaskMeta } from "vitest";

/** A figure that a test measured: `{ name: "page 100 of 10,000,000 rows", value: 3.2, unit: "ms" }`. */
export type Figure = { name: string; value: number; unit: "ms" | "bytes" | "rows" | "count" };

declare module "vitest" {
  // Vitest hands a test's meta to its reporters; it can only be extended by merging.
  interface TaskMeta {
    figures?: Figure[];
    seed?: number;
  }
}

/** Keeps a figure with the running test. The tier nightly writes it into the night's rows. */
export function recordFigure(figure: Figure): void {
  const meta = metaOfTest();
  meta.figures = [...(meta.figures ?? []), figure];
}

/** Keeps the seed that the running test draws its numbers from, and prints it. */
export function recordSeed(seed: number): void {
  metaOfTest().seed = seed;
  console.log(`seed ${seed}`);
}

function metaOfTest(): TaskMeta {
  const test = TestRunner.getCurrentTest<RunnerTestCase | undefined>();
  if (!test) {
    throw new Error("A figure belongs to a test, and none is running.");
  }
  return test.meta;
}
