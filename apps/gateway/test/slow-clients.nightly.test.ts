import { createTestDatabase } from "@gateway/testkit";
import { Agent } from "node:http";
import { expect, test } from "vitest";
import { startGatewayProcess } from "./support/gateway-process.ts";
import { ask } from "./support/http-client.ts";
import { startSlowClient, type SlowClient, type SlowKind } from "./support/slow-client.ts";
import { startTestGateway } from "./support/test-gateway.ts";

const crowd: readonly [SlowKind, number][] = [
  ["headers", 500],
  ["body", 300],
  ["silent", 200],
];
/**
 * The promise is twice the baseline. On an idle gateway the baseline is a few milliseconds. That is less than one turn
 * that the machine gives to another process, so below this floor the comparison proves nothing.
 */
const noiseFloorMs = 25;

test("1,000 slow clients are closed within 30 s, each told why, and healthy clients hardly notice", async () => {
  // Creates the account. The gateway under test has a separate process.
  const helper = await startTestGateway({ databaseUrl: (await createTestDatabase()).url });
  const account = await helper.createAccount();
  const { secret: key } = await helper.createKey(account, "write");
  const gateway = await startGatewayProcess({ databaseUrl: helper.databaseUrl });
  let slow: SlowClient[] = [];
  try {
    const healthy = createHealthyClients(gateway.port, key);
    await healthy.measure(inOrderOf(500));
    const baselineMs = percentile99(await healthy.measure(inOrderOf(3_000)));

    slow = crowd.flatMap(([kind, count]) =>
      Array.from({ length: count }, () => startSlowClient(gateway.port, kind, key)),
    );
    let areAllClosed = false;
    const durations = Promise.all(slow.map(({ closed }) => closed)).finally(() => (areAllClosed = true));
    const besideMs = percentile99(await healthy.measure(() => areAllClosed));
    const longestMs = Math.max(...(await durations));
    console.log(
      `p99 of healthy clients: ${baselineMs.toFixed(1)} ms alone, ${besideMs.toFixed(1)} ms beside 1,000 slow ones; ` +
        `the last of those was closed after ${(longestMs / 1000).toFixed(1)} s.`,
    );
    expect(besideMs).toBeLessThan(Math.max(2 * baselineMs, noiseFloorMs));
    expect(longestMs).toBeLessThan(30_000);
    expect(countAnswered(slow)).toEqual({ headers: 500, body: 300, silent: 200 });
    expect((await helper.platform.ledger.wallets.list({ accountId: account.id, limit: 1 })).items).toEqual([]);
    healthy.close();
  } finally {
    slow.forEach((client) => client.destroy());
    await gateway.program.destroy();
    await helper.stop();
  }
});

/** Four clients that send one request after another, each over its own connection. */
function createHealthyClients(port: number, key: string) {
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  return {
    /** The time of every response, in ms, until there are enough. */
    measure: async (isEnough: (answered: number) => boolean): Promise<number[]> => {
      const timesMs: number[] = [];
      const run = async (agent: Agent): Promise<void> => {
        while (!isEnough(timesMs.length)) {
          const sentAt = performance.now();
          const { status } = await ask(port, { target: "/api/v1/wallets", headers: { "X-API-Key": key } }, agent);
          timesMs.push(performance.now() - sentAt);
          expect(status).toBe(200);
        }
      };
      await Promise.all(agents.map(run));
      return timesMs;
    },
    close: () => agents.forEach((agent) => agent.destroy()),
  };
}

function inOrderOf(count: number): (answered: number) => boolean {
  return (answered) => answered >= count;
}

function percentile99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;
}

/** Number of clients of each kind that got one whole response in the envelope. */
function countAnswered(clients: readonly SlowClient[]): Partial<Record<SlowKind, number>> {
  const counts: Partial<Record<SlowKind, number>> = {};
  for (const client of clients) {
    const [head = "", body = ""] = client.received().split("\r\n\r\n");
    const isOurs =
      head.startsWith("HTTP/1.1 400 ") &&
      /^\{"error":\{"code":"INVALID_REQUEST".*\}$/.test(body) &&
      /^X-RateLimit-Reset: \d+\r?$/m.test(head);
    counts[client.kind] = (counts[client.kind] ?? 0) + (isOurs ? 1 : 0);
  }
  return counts;
}
