import { expect, test } from "vitest";
import { expectEachSentOnce } from "./support/expect-each-sent-once.ts";
import { startReceiver } from "./support/receiver.ts";
import { createWorld } from "./support/world.ts";

test("two dispatchers and 10,000 deliveries: each is sent once, never more than five at a time to an endpoint", async () => {
  const world = await createWorld({ standsStill: true });
  const receiver = await startReceiver(await world.authority.issue());
  await expectEachSentOnce(world, receiver, { count: 10_000, netMs: 300_000 });
  expect(world.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await world.stop();
  await receiver.close();
}, 360_000);
