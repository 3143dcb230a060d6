import { parseArgs } from "node:util";
import { UsageError } from "./usage-error.ts";

export const help = `Usage: npm run --silent spec:review -- --base REF [--markdown FILE]

Says what the working tree changes in the published documents, for whom, and how badly.

  --base REF        the commit, branch or tag to compare with
  --markdown FILE   writes the report for a comment on a pull request too
  --help

Exits with 1 when a breaking change is accepted by no note, with 2 when nothing could be compared. A note is a line in a
new file of .changeset: "x-breaking-accepted: <id of the change> <reason>".

Example:

  npm run --silent spec:review -- --base main`;

const hint = "npm run --silent spec:review -- --help says more.";

export type Arguments = { isHelp: true } | { isHelp: false; base: string; markdown: string | null };

const options = {
  base: { type: "string" },
  help: { type: "boolean", short: "h" },
  markdown: { type: "string" },
} as const;

export function parseArguments(args: readonly string[]): Arguments {
  const values = parseValues(args);
  if (values.help === true) {
    return { isHelp: true };
  }
  if (values.base === undefined || values.base.trim() === "") {
    throw new UsageError(`--base is needed. ${hint}`);
  }
  if (values.markdown?.trim() === "") {
    throw new UsageError(`--markdown needs the name of a file. ${hint}`);
  }
  return { isHelp: false, base: values.base, markdown: values.markdown ?? null };
}

function parseValues(args: readonly string[]): { base?: string; help?: boolean; markdown?: string } {
  try {
    return parseArgs({ args: [...args], options, strict: true }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}. ${hint}`);
  }
}
