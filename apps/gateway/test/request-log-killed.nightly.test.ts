import { chooseSeed, measureSlowness, recordSeed } from "@gateway/testkit";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { askEndlessly, isToldOf, readWholeLog, type SentRequest } from "./support/ask-endlessly.ts";
import { startGatewayProcess } from "./support/gateway-process.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const kills = 20;

/** From 0 to 1, the same again for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test("after each of 20 kills at any moment every request is listed, or lies in a gap that is no longer than it must be", async () => {
  const seed = chooseSeed();
  recordSeed(seed);
  const random = createRandom(seed);
  const slowness = await measureSlowness();
  const reader = await startTestGateway({ keepsStill: true });
  onTestFinished(() => reader.stop());
  const account = await reader.createAccount();
  const key = await reader.createKey(account, "read");
  const sent: SentRequest[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const { program, port } = await startGatewayProcess({ databaseUrl: reader.databaseUrl });
    const asking = askEndlessly(port, key.secret);
    await delay(300 + random() * 900);
    program.signal("SIGKILL");
    await asking.stop();
    sent.push(...asking.sent);
  }
  // A process that is silent for 5 s counts as killed.
  await delay(6_000);
  const log = await readWholeLog(reader.platform, account.id);
  expect(sent.length).toBeGreaterThan(500);
  expect(log.gaps.length).toBeGreaterThan(kills / 2);
  expect(sent.filter((one) => !isToldOf(one, log))).toEqual([]);

  const missing = sent.filter(({ requestId }) => requestId === null || !log.ids.has(requestId));
  const tooLong = log.gaps.filter(({ from, to }) => {
    const within = missing.filter((one) => one.toMs >= from.getTime() && one.fromMs <= to.getTime());
    const first = Math.min(...within.map(({ fromMs }) => fromMs));
    const last = Math.max(...within.map(({ toMs }) => toMs));
    const missingMs = within.length === 0 ? 0 : last - first;
    return to.getTime() - from.getTime() > missingMs + 1_000 * slowness;
  });
  expect(tooLong).toEqual([]);
}, 900_000);
