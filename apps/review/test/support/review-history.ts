import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { runReview } from "./test-repository.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Reviews the documents against their newest commits; yields after each. */
export async function* reviewHistory({ commits }: { commits: number }): AsyncGenerator<void> {
  const log = ["log", `--max-count=${commits}`, "--format=%H", "--", "openapi"];
  const hashes = execFileSync("git", ["-C", root, ...log], { encoding: "utf8" })
    .trim()
    .split("\n");
  for (const commit of hashes) {
    const { code, stderr } = await runReview(root, ["--base", commit]);
    expect({ commit, isAnswer: code === 0 || code === 1, stderr }).toEqual({ commit, isAnswer: true, stderr: "" });
    yield;
  }
}
