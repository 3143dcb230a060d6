import { createTypeId, timeOfId } from "@gateway/kernel";
import type { RequestLogGap } from "@gateway/platform";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startGatewayProcess } from "./support/gateway-process.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

/** Reads what the processes wrote, and is asked nothing. */
let reader: TestGateway;

beforeAll(async () => {
  reader = await startTestGateway({ keepsStill: true });
});
afterAll(() => reader.stop());

type Sent = {
  /** Of the moments before it was sent and after it was answered, or given up. */
  fromMs: number;
  toMs: number;
  /** Null when no answer came: nobody knows its id. */
  requestId: string | null;
};

/** Asks without end, several at a time, until it is told to stop or nobody answers any more. */
function ask(port: number, key: string): { sent: Sent[]; stop(): Promise<void> } {
  const sent: Sent[] = [];
  let isStopping = false;
  const askOne = async (): Promise<boolean> => {
    const fromMs = Date.now();
    const answered = await fetch(`http://127.0.0.1:${port}/api/v1/wallets`, { headers: { "X-API-Key": key } }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.headers.get("x-request-id");
      },
      (error: unknown) => (isRefused(error) ? undefined : null),
    );
    if (answered === undefined) {
      return false;
    }
    sent.push({ fromMs, toMs: Date.now(), requestId: answered });
    return answered !== null;
  };
  const loop = async (): Promise<void> => {
    while (!isStopping && (await askOne())) {
      // The next one.
    }
  };
  const loops = [loop(), loop(), loop(), loop()];
  return {
    sent,
    stop: async () => {
      isStopping = true;
      await Promise.all(loops);
    },
  };
}

/** It was never sent. */
function isRefused(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return cause?.code === "ECONNREFUSED";
}

async function listAll(accountId: string): Promise<{ ids: Set<string>; gaps: RequestLogGap[] }> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  let gaps: RequestLogGap[] = [];
  do {
    const page = await reader.platform.requestLog.list({ accountId, onlyOf: null, limit: 100, cursor });
    page.items.forEach(({ id }) => ids.add(id));
    ({ gaps } = page);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return { ids, gaps };
}

const whenTold = () => new Promise((resolve) => setTimeout(resolve, 6_000));

test("after each of 20 kills every request that was sent is listed, or lies in a gap that is no longer than it must be", async () => {
  const account = await reader.createAccount();
  const key = await reader.createKey(account, "read");
  const runs: Sent[][] = [];
  for (let kill = 0; kill < 20; kill += 1) {
    const { program, port } = await startGatewayProcess({ databaseUrl: reader.databaseUrl });
    const asking = ask(port, key.secret);
    await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 900));
    program.signal("SIGKILL");
    await asking.stop();
    runs.push(asking.sent);
  }
  await whenTold();
  const { ids, gaps } = await listAll(account.id);
  const sent = runs.flat();
  expect(sent.length).toBeGreaterThan(500);
  expect(gaps.length).toBeGreaterThan(10);

  const isTold = ({ fromMs, toMs, requestId }: Sent): boolean =>
    (requestId !== null && ids.has(requestId)) ||
    gaps.some(({ from, to }) =>
      requestId === null
        ? from.getTime() <= toMs && to.getTime() >= fromMs
        : from.getTime() <= timeOfId(requestId) && to.getTime() >= timeOfId(requestId),
    );
  expect(sent.filter((one) => !isTold(one))).toEqual([]);

  const isMissing = ({ requestId }: Sent): boolean => requestId === null || !ids.has(requestId);
  const missing = sent.filter(isMissing);
  const tooLong = gaps.filter(({ from, to }) => {
    const within = missing.filter((one) => one.toMs >= from.getTime() && one.fromMs <= to.getTime());
    const missingMs =
      within.length === 0
        ? 0
        : Math.max(...within.map((one) => one.toMs)) - Math.min(...within.map((one) => one.fromMs));
    return to.getTime() - from.getTime() > missingMs + 1_000;
  });
  expect(tooLong).toEqual([]);
}, 900_000);

test("a process that is stopped in order loses nothing and leaves no gap", async () => {
  const before = (await listAll(createTypeId("acc"))).gaps.length;
  const account = await reader.createAccount();
  const key = await reader.createKey(account, "read");
  const { program, port } = await startGatewayProcess({ databaseUrl: reader.databaseUrl });
  const asking = ask(port, key.secret);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  program.signal("SIGTERM");
  await asking.stop();
  await program.exited;
  await whenTold();

  const { ids, gaps } = await listAll(account.id);
  const answered = asking.sent.flatMap(({ requestId }) => requestId ?? []);
  expect(answered.length).toBeGreaterThan(10);
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
  expect(gaps).toHaveLength(before);
});
