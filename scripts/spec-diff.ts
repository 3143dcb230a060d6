/** `npm run spec:diff -- <commit>`: a second opinion by `redocly diff`, in addition to `npm run spec:review`. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const document = "packages/contract/src/generated/openapi.json";
const [base = "main", ...options] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "gateway-diff-"));
try {
  const before = join(folder, "base.json");
  writeFileSync(before, execFileSync("git", ["show", `${base}:${document}`], { cwd: root, maxBuffer: 64 << 20 }));
  const redocly = join(root, "node_modules/@redocly/cli/bin/cli.js");
  const run = ["diff", before, join(root, document), "--fail-on", "none", ...options];
  process.exitCode = spawnSync(process.execPath, [redocly, ...run], { stdio: "inherit" }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
