import { globSync } from "node:fs";
import { waitFor } from "@gateway/testkit";
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createOwners, expectNextStart, type Owners } from "./support/owners.ts";

let owners: Owners;

/** One folder, and so one first start, for all tests but those of the first start. */
beforeAll(async () => {
  owners = await createOwners();
});

afterEach(() => owners.end());

test("killed under load again and again, the next start takes the server over with every acknowledged row", async () => {
  await owners.killUnderLoad({ rounds: 3 });
});

test("killed together with its server, the next start recovers every acknowledged row", async () => {
  await owners.killWithServer({ rounds: 2 });
});

describe("signals", () => {
  test("a second process on the folder is refused in one sentence with exit code 1, and the first writes on", async () => {
    const first = owners.start();
    await first.ready();
    const second = owners.start();

    expect(await second.exited).toBe(1);
    expect(second.complaint()).toMatch(
      /^DataFolderInUseError: The data folder .+ is in use by another running gateway\./,
    );
    const before = first.lastRow();
    await waitFor(() => first.lastRow() > before);
  });

  test("Ctrl-C reaches the owner's whole process group, and yet the server runs until the owner stops it", async () => {
    const owner = owners.start();
    await owner.ready();
    process.kill(-owner.pid, "SIGINT");
    const before = owner.lastRow();
    await waitFor(() => owner.lastRow() > before + 20);

    expect(await owner.kill("SIGTERM")).toBe(0);
  });

  test("asked to end, the owner stops the server and nothing is left to adopt", async () => {
    const owner = owners.start();
    await owner.ready();
    expect(await owner.kill("SIGTERM")).toBe(0);

    expect((await owners.start().ready()).adopted).toBe(false);
  });
});

/**
 * The files that a first start creates in the data folder, in this order. Those that begin with "initializing" are gone
 * once "postgres" exists.
 */
const milestones = [
  "initializing-*",
  "initializing-*/postgres/global/pg_control",
  "postgres",
  "postgres/postmaster.pid",
];

test.each(milestones)("killed when a first start has made %s, the next one starts", async (milestone) => {
  const orLater = milestones.slice(milestones.indexOf(milestone));
  const others = await createOwners();
  onTestFinished(() => others.end());
  const killed = others.start();
  await waitFor(() => globSync(orLater, { cwd: others.dataDir }).length > 0, { intervalMs: 1 });
  await killed.kill("SIGKILL");
  await expectNextStart(others);
});
