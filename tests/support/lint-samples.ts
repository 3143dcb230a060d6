import { createTestFolder } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readRepositoryFile, repository } from "./source-files.ts";

/** The text of each file, by its path. */
export type Samples = Readonly<Record<string, string>>;

/** `code`: `eslint(max-lines)`. `line`: from 1. */
export type LintFinding = { code: string; message: string; filename: string; line: number };

type Diagnostic = Omit<LintFinding, "line"> & { labels: { span: { line: number } }[] };

/** The linter's findings in files that stand alone in a folder, by the repository's own configuration. */
export async function lintSamples(samples: Samples): Promise<LintFinding[]> {
  const config = JSON.parse(readRepositoryFile(".oxlintrc.json")) as { jsPlugins: string[] };
  const jsPlugins = config.jsPlugins.map((path) => join(repository, path));
  const own = JSON.stringify({ ...config, jsPlugins, $schema: undefined });
  const output = await runOnSamples("oxlint/bin/oxlint", ["--format=json"], { ...samples, ".oxlintrc.json": own });
  const { diagnostics } = JSON.parse(output) as { diagnostics: Diagnostic[] };
  return diagnostics.map(({ labels, ...finding }) => ({ ...finding, line: labels[0]?.span.line ?? 0 }));
}

/** The output of a program of `node_modules` in a folder with these files. Linters exit with 1 on a finding. */
export async function runOnSamples(program: string, args: readonly string[], samples: Samples): Promise<string> {
  const cwd = await createTestFolder();
  for (const [path, text] of Object.entries(samples)) {
    await mkdir(dirname(join(cwd, path)), { recursive: true });
    await writeFile(join(cwd, path), text);
  }
  const script = join(repository, "node_modules", program);
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd, maxBuffer: Infinity }, (_error, stdout) => resolve(stdout));
  });
}
