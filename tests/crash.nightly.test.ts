import { randomInt } from "node:crypto";
import { test } from "vitest";
import { createRandom } from "./storm/random.ts";
import { killUnderLoad } from "./support/kill-under-load.ts";

const seed = Number(process.env["CRASH_SEED"] ?? randomInt(1_000_000));

test("killed ten times under load: each time it starts again, and every acknowledged wallet is there exactly once", async () => {
  console.log(`CRASH_SEED=${seed}`);
  const random = createRandom(seed);
  await killUnderLoad({ afterWallets: Array.from({ length: 10 }, () => random.between(1, 300)) });
});
