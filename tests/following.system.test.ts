import { waitFor } from "@gateway/testkit";
import { expect, onTestFinished, test } from "vitest";
import pg from "pg";
import { createRandom } from "./storm/random.ts";
import { startFollowingWorld, type EventWriter } from "./support/following-world.ts";

const writers = 12;
const restarts = 4;

test(`of ${writers} writers who commit late and in any order, through ${restarts} restarts, a follower is told each event once`, async () => {
  const world = await startFollowingWorld();
  const random = createRandom(26);
  const open = await Promise.all(Array.from({ length: writers }, () => world.openWriter()));
  for (let count = 0; count < restarts; count += 1) {
    await Promise.all(open.map((writer) => begin(writer, random.between(1, 3))));
    const order = open.toSorted(() => random.fraction() - 0.5);
    await commitAll(order.slice(0, writers / 3));
    await world.restart();
    await order[writers / 3]?.run("rollback");
    await commitAll(order.slice(writers / 3 + 1));
  }
  await world.expectAllOnce();
  expect(world.told.length).toBeGreaterThan(restarts * (writers - 1));
});

async function begin(writer: EventWriter, events: number): Promise<void> {
  await writer.run("begin");
  for (let count = 0; count < events; count += 1) {
    await writer.insertEvent();
  }
}

async function commitAll(writing: readonly EventWriter[]): Promise<void> {
  for (const writer of writing) {
    await writer.run("commit");
  }
}

test.each(["postgres", "this"])("a long transaction in the database %s holds nobody back", async (name) => {
  const world = await startFollowingWorld();
  const holder = new pg.Client(name === "this" ? world.url : world.url.replace(/\/[^/]*$/, `/${name}`));
  await holder.connect();
  onTestFinished(() => holder.end());
  await waitFor(() => world.told.length === 1);
  await holder.query("begin; select pg_current_xact_id()");
  const writing = await Promise.all(Array.from({ length: 5 }, () => world.openWriter()));
  await Promise.all(writing.map((writer) => begin(writer, 2)));
  await commitAll(writing);

  expect(await world.askAfterFirst()).toHaveLength(10);
  await world.expectAllOnce();
  expect(world.told).toHaveLength(12);
  await holder.query("commit");
});
