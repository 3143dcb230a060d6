import { chooseSeed, recordSeed } from "@gateway/testkit";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createRandom, type Random } from "./storm/random.ts";
import { startFollowingWorld, type FollowingWorld } from "./support/following-world.ts";

const writers = 20;
const restarts = 50;

test(
  `of ${writers} writers who commit late and in any order, through ${restarts} restarts, a follower is told each event once`,
  { timeout: 600_000 },
  async () => {
    const seed = chooseSeed();
    recordSeed(seed);
    const world = await startFollowingWorld();
    const ending = new AbortController();
    const writing = Array.from({ length: writers }, (_, number) =>
      write(world, createRandom(seed + 1 + number), ending.signal),
    );
    const random = createRandom(seed);
    for (let count = 0; count < restarts; count += 1) {
      await delay(random.between(0, 400));
      await world.restart();
    }
    ending.abort();
    const committed = (await Promise.all(writing)).reduce((sum, count) => sum + count, 0);
    expect(committed).toBeGreaterThan(writers * 10);
    await world.expectAllOnce();
    console.log(`${world.told.length} events were told, each once, through ${restarts} restarts`);
  },
);

/**
 * Transactions of 1 to 3 events that last 0 to 300 ms, ended in any order, one in ten undone. Gives back how many were
 * committed.
 */
async function write(world: FollowingWorld, random: Random, until: AbortSignal): Promise<number> {
  const writer = await world.openWriter();
  let committed = 0;
  while (!until.aborted) {
    await writer.run("begin");
    const events = random.between(1, 3);
    for (let count = 0; count < events; count += 1) {
      await writer.insertEvent();
      await delay(random.between(0, 100));
    }
    const isUndone = random.fraction() < 0.1;
    await writer.run(isUndone ? "rollback" : "commit");
    committed += isUndone ? 0 : events;
  }
  return committed;
}
