import { measureSlowness } from "@gateway/testkit";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import type {} from "../../packages/testkit/src/record-figure.ts";
import type { NightlyRow } from "./nightly-row.ts";

type Night = Pick<NightlyRow, "night" | "commit" | "slowness">;

/**
 * Writes a row for each test of the tier nightly, its duration, and one for each figure that the test recorded, to
 * `NIGHTLY_ROWS` or `.data/nightly-rows.jsonl`. Nothing is written for a test that failed.
 */
export default class RowsReporter implements Reporter {
  readonly #night = new Date().toISOString();
  readonly #commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  #slownessBefore = 1;

  async onTestRunStart(): Promise<void> {
    this.#slownessBefore = await measureSlowness();
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const slowness = (this.#slownessBefore + (await measureSlowness())) / 2;
    const night = { night: this.#night, commit: this.#commit, slowness };
    const rows = modules.flatMap((module) =>
      [...module.children.allTests("passed")].flatMap((test) => rowsOf(test, night)),
    );
    const file = process.env["NIGHTLY_ROWS"] ?? ".data/nightly-rows.jsonl";
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    console.log(
      `\n${rows.length} rows of this night are in ${file}; the machine was ${slowness.toFixed(2)} times slow.`,
    );
  }
}

function rowsOf(test: TestCase, night: Night): NightlyRow[] {
  const { figures = [], seed = null } = test.meta();
  const suite = relative(process.cwd(), test.module.moduleId);
  const common = { ...night, suite, seed };
  return [
    { ...common, name: test.fullName, value: Math.round(test.diagnostic()?.duration ?? 0), unit: "ms" },
    ...figures.map(({ name, value, unit }) => ({ ...common, name: `${test.fullName}: ${name}`, value, unit })),
  ];
}
