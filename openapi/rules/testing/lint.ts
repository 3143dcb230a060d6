import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyChanges, type Change } from "./change.ts";
import { smallDocument } from "./small-document.ts";

/** What is done to the small document, and the one thing that the rule must then say; null when it must stay silent. */
export type Case = { name: string; changes: readonly Change[]; says: string | null };

const redocly = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const plugin = fileURLToPath(new URL("../plugin.ts", import.meta.url));

/** The messages of one house rule on each case's document, from Redocly CLI itself: one start for all of them. */
export async function lintCases(rule: string, cases: readonly Case[]): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), "rules-"));
  try {
    const config = { telemetry: "off", plugins: [plugin], rules: { [`gateway/${rule}`]: "error" } };
    await writeFile(join(folder, "redocly.yaml"), JSON.stringify(config));
    const files = cases.map((_, index) => `${index}.json`);
    await Promise.all(
      cases.map(({ changes }, index) => {
        const document = smallDocument();
        applyChanges(document, changes);
        return writeFile(join(folder, `${index}.json`), JSON.stringify(document));
      }),
    );
    return parseReports(await run(["lint", ...files, "--format=json"], folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Redocly CLI writes one JSON report after the other. Its exit code only says whether there were problems. */
function run(args: string[], cwd: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [redocly, ...args], { cwd }, (_error, stdout) => resolve(stdout));
  });
}

function parseReports(stdout: string): string[][] {
  const reports = JSON.parse(`[${stdout.replaceAll(/^\}\{$/gm, "},{")}]`) as {
    problems: { message: string }[];
  }[];
  return reports.map(({ problems }) => [...new Set(problems.map(({ message }) => message))]);
}
