import { createTestFolder, startScript } from "@gateway/testkit";
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";

/** Every program that a person starts, with words that its help must contain. */
const programs: [script: string, does: RegExp][] = [
  ["apps/local/src/main.ts", /Everything on this machine[\s\S]*GATEWAY_PORT[\s\S]*DOCS_PORT/],
  ["apps/gateway/src/main.ts", /checks every request[\s\S]*DATABASE_URL[\s\S]*LOG_FORMAT/],
  ["apps/auth/src/main.ts", /signs people in[\s\S]*AUTH_PORT/],
  ["apps/dispatcher/src/main.ts", /Sends events[\s\S]*DISPATCHER_SLOTS/],
  ["apps/worker/src/main.ts", /Runs due work[\s\S]*WORKER_SLOTS/],
  ["apps/console/src/main.ts", /people's tokens[\s\S]*CONSOLE_PORT/],
  ["apps/docs/src/main.ts", /documentation[\s\S]*DOCS_PORT/],
  ["apps/receiver/src/main.ts", /verifies them[\s\S]*RECEIVER_PORT/],
  ["apps/demo/src/main.ts", /identity provider[\s\S]*CLIENT_ID/],
  ["apps/admin/src/main.ts", /operators[\s\S]*accounts create[\s\S]*DATABASE_URL/],
  ["apps/review/src/main.ts", /working tree changes[\s\S]*--base REF/],
  ["bench/src/main.ts", /Measures what Gateway costs[\s\S]*--only/],
  ["tests/storm/main.ts", /Sends events[\s\S]*storm -- ledger[\s\S]*--events/],
];

describe.each(programs)("%s", (script, does) => {
  test("--help prints what it does, what it takes and an example, ends with 0, and starts nothing", async () => {
    const dataDir = await createTestFolder();
    const program = startScript(script, ["--help"], { env: { DATA_DIR: dataDir } });
    expect(await program.exited).toBe(0);
    expect(program.stdout()).toMatch(/^Usage: npm (?:start|run)/);
    expect(program.stdout()).toMatch(does);
    expect(program.stdout()).toMatch(/\nExample:\n\n {2}.*npm (?:start|run) ?/);
    expect(program.stderr()).toBe("");
    expect(await readdir(dataDir)).toEqual([]);
  });

  test("an argument that there is not ends with 2 and a line that names it", async () => {
    const dataDir = await createTestFolder();
    const program = startScript(script, ["--no-such-thing"], { env: { DATA_DIR: dataDir } });
    expect(await program.exited).toBe(2);
    expect(program.stderr()).toMatch(/^.*--no-such-thing.*\n$/);
    expect(program.stdout()).toBe("");
    expect(await readdir(dataDir)).toEqual([]);
  });
});
