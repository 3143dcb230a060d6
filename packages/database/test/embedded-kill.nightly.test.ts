import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, test } from "vitest";
import { createOwners, expectNextStart, type Owners } from "./support/owners.ts";

let owners: Owners;

beforeEach(async () => {
  owners = await createOwners();
});

afterEach(() => owners.end());

test("ten times killed under load, the next start takes the server over with every acknowledged row", async () => {
  await owners.killUnderLoad({ rounds: 10 });
});

test("five times killed together with its server, the next start recovers every acknowledged row", async () => {
  await owners.killWithServer({ rounds: 5 });
});

test.each(Array.from({ length: 11 }, (_, index) => 50 + 100 * index))(
  "killed %i ms after the beginning of the first start, the next one starts",
  async (afterMs) => {
    const killed = owners.start();
    await delay(afterMs);
    await killed.kill("SIGKILL");
    await expectNextStart(owners);
  },
);
