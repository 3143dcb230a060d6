import { parseArgs } from "node:util";

/** Letters that are not here belonged to measures that guarded no promise: their figures stand in the ADRs. */
export const measureIds = ["a", "b", "d", "e", "f", "g", "h", "l", "n", "o", "p", "u"] as const;
export type MeasureId = (typeof measureIds)[number];

export type BenchArguments = { only: readonly MeasureId[]; quick: boolean; json: boolean; help: boolean };

export const help = `Usage: npm run bench -- [--only LETTERS] [--quick] [--json]

Measures what it costs, against what one would write instead, on a Postgres of its own. What is measured stands in bench/README.md.

  --only LETTERS   of ${measureIds.join(", ")}, separated by commas
  --quick          each measure once and short: its figures mean nothing
  --json           the figures as JSON

Example:

  npm run bench -- --only a,b`;

/** `--only a,c`, `--quick`, `--json`. Throws an Error whose message says what is wrong with them. */
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
