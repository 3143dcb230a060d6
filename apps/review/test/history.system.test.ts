import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runReview } from "./support/test-repository.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const commits = execFileSync("git", ["-C", root, "log", "--max-count=8", "--format=%H", "--", "openapi"], {
  encoding: "utf8",
}).trim();

test.each(commits.split("\n"))("against %s of our own history: an answer, in under 10 s", async (commit) => {
  const startedAt = performance.now();
  const { code, stdout, stderr } = await runReview(root, ["--base", commit]);
  const durationMs = performance.now() - startedAt;
  console.log(
    `${commit.slice(0, 7)}: exit ${code} in ${Math.round(durationMs)} ms; ${stdout.trim().split("\n").at(-1)}`,
  );
  expect([0, 1]).toContain(code);
  expect(stderr).toBe("");
  expect(durationMs).toBeLessThan(10_000);
});
