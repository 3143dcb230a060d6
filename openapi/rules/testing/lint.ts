import { applyChanges, type Change } from "./change.ts";
import { runRedocly } from "./run-redocly.ts";
import { smallDocument } from "./small-document.ts";

/**
 * A change to the small document, and the one finding that the rule must then report; null when it must stay silent.
 */
export type Case = { name: string; changes: readonly Change[]; says: string | null };

/** The messages of each house rule on its cases, from one start of Redocly CLI. */
export async function lintCases(
  casesOf: Readonly<Record<string, readonly Case[]>>,
): Promise<Record<string, string[][]>> {
  const documents = Object.entries(casesOf).flatMap(([rule, cases]) =>
    cases.map(({ changes }, index) => ({ rule, name: `${rule}-${index}`, document: changed(changes) })),
  );
  const files = Object.fromEntries(documents.map(({ name, document }) => [`${name}.json`, document]));
  const apis = Object.fromEntries(
    documents.map(({ rule, name }) => [name, { root: `${name}.json`, rules: { [`gateway/${rule}`]: "error" } }]),
  );
  const reports = parseReports(await runRedocly(["lint", "--format=json"], { files, apis }));
  return Object.fromEntries(
    Object.keys(casesOf).map((rule) => [rule, reports.filter((_, index) => documents[index]?.rule === rule)]),
  );
}

function changed(changes: readonly Change[]): object {
  const document = smallDocument();
  applyChanges(document, changes);
  return document;
}

/** Redocly CLI writes one JSON report after the other. */
function parseReports(stdout: string): string[][] {
  // This is the format of the reports, of which only the messages are read.
  const reports = JSON.parse(`[${stdout.replaceAll(/^\}\{$/gm, "},{")}]`) as {
    problems: { message: string }[];
  }[];
  return reports.map(({ problems }) => [...new Set(problems.map(({ message }) => message))]);
}
