import { applyChanges, type Change } from "./change.ts";
import { runRedocly } from "./run-redocly.ts";
import { smallDocument } from "./small-document.ts";

/** What is done to the small document, and the one thing that the rule must then say; null when it must stay silent. */
export type Case = { name: string; changes: readonly Change[]; says: string | null };

/** The messages of one house rule on each case's document, from Redocly CLI itself: one start for all of them. */
export async function lintCases(rule: string, cases: readonly Case[]): Promise<string[][]> {
  const files = Object.fromEntries(cases.map(({ changes }, index) => [`${index}.json`, changed(changes)]));
  const args = ["lint", ...Object.keys(files), "--format=json"];
  return parseReports(await runRedocly(args, { files, rules: { [`gateway/${rule}`]: "error" } }));
}

function changed(changes: readonly Change[]): object {
  const document = smallDocument();
  applyChanges(document, changes);
  return document;
}

/** Redocly CLI writes one JSON report after the other. */
function parseReports(stdout: string): string[][] {
  const reports = JSON.parse(`[${stdout.replaceAll(/^\}\{$/gm, "},{")}]`) as {
    problems: { message: string }[];
  }[];
  return reports.map(({ problems }) => [...new Set(problems.map(({ message }) => message))]);
}
