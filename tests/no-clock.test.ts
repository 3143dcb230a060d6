import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clockRules, findClocks } from "./support/clock-rules.ts";
import { findImports, isTestFile } from "./support/imports.ts";
import { readRepositoryFile, readSourceFiles } from "./support/source-files.ts";

const files = new Map(readSourceFiles().map((file) => [file.path, file]));

const exempt: readonly string[] = [
  // Waits by the clock, so that nothing else has to.
  "packages/testkit/src/wait-for.ts",
  // Two processes must not look for a free port in the same order.
  "packages/testkit/src/find-free-port.ts",
  // Moves the clocks of its process.
  "packages/testkit/src/machine-clock.ts",
  // Only the tier nightly may call it.
  "packages/testkit/src/machine-slowness.ts",
  "packages/testkit/src/choose-seed.ts",
  "tests/nightly/rows-reporter.ts",
  // The samples below.
  "tests/no-clock.test.ts",
];

/**
 * Test files of the tiers facts, edge and system, and their support; not what only the tier nightly uses, and not the
 * storms.
 */
function listGateFiles(): string[] {
  const tests = [...files.keys()].filter(isTestFile);
  const isNightly = (path: string): boolean => /\.nightly\.test\.ts$|^tests\/storm\//.test(path);
  const ofNight = followImports(tests.filter(isNightly));
  const ofGate = followImports(tests.filter((path) => /\.test\.ts$/.test(path) && !isNightly(path)));
  return tests
    .filter((path) => !exempt.includes(path) && !isNightly(path))
    .filter((path) => ofGate.has(path) || !ofNight.has(path))
    .sort();
}

function followImports(paths: readonly string[], seen = new Set<string>()): Set<string> {
  for (const path of paths.filter((one) => !seen.has(one))) {
    seen.add(path);
    const file = files.get(path);
    const imported = file ? findImports(file).flatMap((one) => one.file ?? []) : [];
    followImports(imported, seen);
  }
  return seen;
}

const gate = listGateFiles();

test("the gate's files are found, and what only the night uses is not among them", () => {
  expect(gate).toEqual(
    expect.arrayContaining([
      "apps/gateway/test/support/addresses.ts",
      "packages/testkit/src/test-clock.ts",
      "tests/one-clock.test.ts",
    ]),
  );
  expect(gate).not.toContain("packages/testkit/src/machine-slowness.ts");
});

test("no test of the gate judges a clock, tries again, sleeps or depends on the time of day", () => {
  const places = gate.flatMap((path) => findClocks(files.get(path) ?? { path, text: "" }));
  expect(places).toEqual([]);
});

test("no run of the gate tries again", () => {
  const path = "vitest.config.ts";
  expect(findClocks({ path, text: readRepositoryFile(path) })).toEqual([]);
  for (const command of ["package.json", ".ci/run"]) {
    expect(readRepositoryFile(command)).not.toMatch(/vitest.*--retry/);
  }
});

type RuleName = keyof typeof clockRules;

const refused: Readonly<Record<RuleName, readonly string[]>> = {
  wallTime: [
    "const startMs = performance.now();",
    "const id = `wallet-${process.hrtime.bigint()}`;",
    "const used = process.cpuUsage();",
    "const limitMs = 3_000 * (await measureSlowness());",
    "const startMs = Date.now(); await run(); const tookMs = Date.now() - startMs;",
    "while (Date.now() < deadlineMs) { await turn(); }",
    "const isDue = row.due_at <= new Date();",
    "const leftMs = Date.parse(rolled.signsFrom) - Date.now();",
    "expect(resetsAtMs).toBeLessThan(Date.now() + 3_000);",
    "const before = Date.now(); expect(createdAt.getTime()).toBeGreaterThanOrEqual(before);",
    "expect(Math.abs(new Date().getTime() / 1_000)).toBe(atSeconds);",
  ],
  shortNet: [
    "await waitFor(() => isReady(), { timeoutMs: 2_000 });",
    "const lateMs = 2_000; await waitFor(() => isReady(), { timeoutMs: lateMs });",
    "await vi.waitFor(() => expect(count()).toBe(1));",
    "await expect.poll(count).toBe(1);",
    'test("answers", async () => { await run(); }, 5_000);',
    'test.each(rows)("answers %s", { timeout: 5_000 }, async () => {});',
  ],
  retry: [
    'test("answers", { retry: 2 }, async () => {});',
    'test.for(rows)("answers", { retry: 2 }, async () => {});',
    'describe("answers", { retry: { count: 2 } }, () => {});',
    "vi.setConfig({ retry: 1 });",
  ],
  sleep: [
    'import { setTimeout as delay } from "node:timers/promises";',
    'import * as timers from "timers/promises";',
    "await new Promise((resolve) => setTimeout(resolve, 100));",
    "receiver.answerWith((res) => void setTimeout(() => res.end(), 300));",
    "await page.waitForTimeout(500);",
    "await sql`select pg_sleep(0.5)`.execute(db);",
    "await sql`select pg_sleep(${seconds})`.execute(db);",
    "Atomics.wait(shared, 0, 0, 100);",
  ],
  timeOfDay: [
    "const order = rows.toSorted(() => Math.random() - 0.5);",
    "const enough = randomInt(1, 300);",
    "const seed = chooseSeed();",
    "const hour = at.getHours();",
    "const shown = at.toLocaleTimeString();",
    "const hour = new Date().getUTCHours();",
    "const intoDaySeconds = Math.floor(Date.now() / 1_000) % 86_400;",
    "const at = new Date(2026, 9, 25);",
    'const at = new Date("2026-10-25T02:30:00");',
  ],
};

const taken: Readonly<Record<RuleName, readonly string[]>> = {
  wallTime: [
    "const clock = createTestClock(Date.now());",
    "await arm({ firesAt: new Date(Date.now() - 60_000) });",
    "const isDue = row.due_at <= new Date(clock.now());",
    "vi.useFakeTimers(); expect(performance.now() - startMs).toBe(1_000);",
    'vi.useFakeTimers({ toFake: ["Date"] }); expect(createdAtMs).toBe(Date.now());',
    "const text = `while (performance.now() < 5) {}`;",
  ],
  shortNet: [
    "await waitFor(() => isReady(), { timeoutMs: 300_000, intervalMs: 50 });",
    "const dispatcher = await startDispatcher({ timeoutMs: 500 });",
    'test("answers", async () => {}, 240_000);',
  ],
  retry: ["const answer = { retry: 2 };", 'test("answers", async () => { await call({ retry: 2 }); });'],
  sleep: [
    'import { setImmediate } from "node:timers/promises";',
    'import type * as timers from "node:timers/promises";',
    "const notice = setTimeout(print, 10_000); clearTimeout(notice);",
    "const drip = setInterval(() => socket.write('a'), 1); clearInterval(drip);",
    'vi.useFakeTimers({ toFake: ["setTimeout"] }); await new Promise((resolve) => setTimeout(resolve, 100));',
    "const held = sql`select pg_sleep(60)`.execute(db);",
  ],
  timeOfDay: [
    "const random = createRandom(seed); random();",
    'const hour = new Date("2026-10-25T00:58:00Z").getUTCHours();',
    "const at = new Date(Date.UTC(2026, 9, 25));",
    "const atMs = Math.floor(Date.now() / 60_000) * 60_000;",
  ],
};

describe.each(Object.entries(clockRules))("the rule %s", (name, rule) => {
  // Object.entries loses the type of its keys.
  const key = name as RuleName;

  test.each(refused[key])("refuses %s", (text) => {
    expect(findClocks({ path: "tests/a.test.ts", text }, [rule])).not.toEqual([]);
  });

  test.each(taken[key])("takes %s", (text) => {
    expect(findClocks({ path: "tests/a.test.ts", text }, [rule])).toEqual([]);
  });
});

test("a retry of the whole configuration is refused", () => {
  const text = "export default defineConfig({ test: { projects: [{ test: { retry: 1 } }] } });";
  expect(findClocks({ path: "vitest.config.ts", text })).toEqual(["vitest.config.ts:1 tries again what has failed"]);
});

test("properties try the same values in every run, unless they are given a seed", () => {
  const tried = (seed?: number): number[] => {
    const values: number[] = [];
    fc.assert(
      fc.property(fc.integer(), (value) => void values.push(value)),
      seed === undefined ? {} : { seed },
    );
    return values;
  };
  expect(tried()).toEqual(tried(Number(process.env["PROPERTY_SEED"] ?? 26)));
});
