import { chooseSeed, recordSeed } from "@gateway/testkit";
import { test } from "vitest";
import { createRandom } from "./storm/random.ts";
import { killUnderLoad } from "./support/kill-under-load.ts";

test("killed ten times under load: each time it starts again, and every acknowledged wallet is there exactly once", async () => {
  const seed = chooseSeed();
  recordSeed(seed);
  const random = createRandom(seed);
  await killUnderLoad({ afterWallets: Array.from({ length: 10 }, () => random.between(1, 300)) });
});
