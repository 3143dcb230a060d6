import { chooseSeed, measureSlowness, recordSeed } from "@gateway/testkit";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { askEndlessly, isToldOf, readWholeLog, type SentRequest, type WholeLog } from "./support/ask-endlessly.ts";
import { startGatewayProcess } from "./support/gateway-process.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

/** Each round has its own database, in which a gateway is killed, and then its successor. */
const rounds = 10;
/** A process that is silent for 5 s counts as killed. */
const untilToldMs = 6_000;

/** Numbers from 0 to 1, the same for the same seed. */
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
  const late: string[] = [];
  let requests = 0;
  for (let round = 0; round < rounds; round += 1) {
    const reader = await startTestGateway({ keepsStill: true });
    onTestFinished(() => reader.stop());
    const account = await reader.createAccount();
    const { secret } = await reader.createKey(account, "read");
    const kill = async () => askUntilKilled({ reader, key: secret, afterMs: 300 + random() * 900 });

    const first = await kill();
    const afterFirst = await readWholeLog(reader.platform, account.id);
    expect(first.filter((one) => !isToldOf(one, afterFirst))).toEqual([]);
    late.push(...gapsLongerThan(5_000 + 1_000 * slowness, first, afterFirst));

    const second = await kill();
    const sent = [...first, ...second];
    const afterSecond = await readWholeLog(reader.platform, account.id);
    expect(sent.filter((one) => !isToldOf(one, afterSecond))).toEqual([]);
    // The end of the first life is unknown, so the second gateway moved the end of its gap to 5 s after its own start.
    const movedMs = (second[0]?.fromMs ?? Number.NaN) + 5_000 - (first.at(-1)?.toMs ?? Number.NaN);
    late.push(...gapsLongerThan(movedMs + 1_000 * slowness, sent, afterSecond));
    requests += sent.length;
  }
  expect(requests).toBeGreaterThan(500);
  expect(late).toEqual([]);
}, 900_000);

/** Requests sent to a gateway that is killed after `afterMs`. Returns when the log reports the kill. */
async function askUntilKilled({ reader, key, afterMs }: { reader: TestGateway; key: string; afterMs: number }) {
  const { program, port } = await startGatewayProcess({ databaseUrl: reader.databaseUrl });
  const asking = askEndlessly(port, key);
  await delay(afterMs);
  program.signal("SIGKILL");
  await asking.stop();
  await delay(untilToldMs);
  return asking.sent;
}

/** Gaps that are longer by `ms` than the time of the requests missing in them. */
function gapsLongerThan(ms: number, sent: readonly SentRequest[], { ids, gaps }: WholeLog): string[] {
  const missing = sent.filter(({ requestId }) => requestId === null || !ids.has(requestId));
  return gaps.flatMap(({ from, to }) => {
    const within = missing.filter((one) => one.toMs >= from.getTime() && one.fromMs <= to.getTime());
    const first = Math.min(...within.map(({ fromMs }) => fromMs));
    const last = Math.max(...within.map(({ toMs }) => toMs));
    const missingMs = within.length === 0 ? 0 : last - first;
    const isLonger = !(to.getTime() - from.getTime() <= missingMs + ms);
    return isLonger ? [`${from.toISOString()} to ${to.toISOString()}, of which ${missingMs} ms are missing`] : [];
  });
}
