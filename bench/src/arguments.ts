import { parseArgs } from "node:util";

/** Letters missing here belonged to measures that guarded no promise. Their figures are in the ADRs. */
export const measureIds = ["a", "b", "d", "e", "f", "g", "h", "l", "n", "o", "p", "u"] as const;
export type MeasureId = (typeof measureIds)[number];

export type BenchArguments = { only: readonly MeasureId[]; quick: boolean; json: boolean; help: boolean };

export const help = `Usage: npm run bench -- [--only LETTERS] [--quick] [--json]

Measures what Gateway costs, compared with a hand-written alternative, on a Postgres of its own. bench/README.md describes the measures.

  --only LETTERS   of ${measureIds.join(", ")}, separated by commas
  --quick          each measure once and short: its figures mean nothing
  --json           the figures as JSON

Example:

  npm run bench -- --only a,b`;

/** Parses `--only a,c`, `--quick` and `--json`. Throws an Error whose message names the fault. */
export function parseArguments(args: readonly string[]): BenchArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", default: measureIds.join(",") },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const only = values.only.split(",").map((text) => {
    const id = measureIds.find((known) => known === text.trim());
    if (!id) {
      throw new Error(`--only takes letters of ${measureIds.join(", ")}, separated by commas; ${text} is none.`);
    }
    return id;
  });
  return { only, quick: values.quick, json: values.json, help: values.help };
}
