import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Row } from "../../src/row.ts";

const main = new URL("../../src/main.ts", import.meta.url).pathname;

/** Runs `npm run bench` in its short form and returns its rows. Its temporary files must be gone afterwards. */
export async function quickBench(...args: string[]): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-test-"));
  try {
    // The cache of compiled modules would leave its files in the folder.
    const env = { ...process.env, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: "1" };
    const { stdout } = await promisify(execFile)(process.execPath, [main, "--quick", "--json", ...args], { env });
    expect(await readdir(folder)).toEqual([]);
    return (JSON.parse(stdout) as { rows: Row[] }).rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Checks the form of a row, but not its figures: on a machine that runs other tests they mean nothing. */
export function expectRow({ name, checks, figures }: Row): void {
  const isSkipped = checks.every(({ outcome }) => outcome === "skipped");
  const number = isSkipped ? null : (expect.any(Number) as unknown);
  for (const check of checks) {
    expect({ name, check }).toEqual({
      name,
      check: {
        target: expect.stringMatching(/(>=|<=|=) [\d.]+/) as unknown,
        measured: number,
        outcome: expect.stringMatching(/^(met|not met|skipped)$/) as unknown,
      },
    });
  }
  expect(Object.values(figures).every(Number.isFinite)).toBe(true);
}
