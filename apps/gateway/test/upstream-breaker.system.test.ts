import { readMetric } from "@gateway/testkit";
import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { refused } from "./support/answers.ts";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { useUpstream } from "./support/use-gateway.ts";
import { answerJson, upstreamEnv } from "./support/test-upstream.ts";

const resetMs = 60_000;
const list = { data: [], meta: { hasMore: false, nextCursor: null } };
const works = (res: ServerResponse): void => answerJson(res, 200, list);
const fails = (res: ServerResponse): void => void res.writeHead(500).end();
const refuses = (res: ServerResponse): void =>
  answerJson(res, 400, { error: { code: "INVALID_REQUEST", message: "No." }, meta: {} });

const upstream = useUpstream();
let gateway: TestGateway;
let key: string;

const read = (): Promise<Answer> => gateway.call({ target: "/api/v1/kyc-verifications", key });
async function readOften(times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await read();
  }
}
const metric = async (name: string, labels: string): Promise<number | undefined> =>
  (await readMetric(gateway.metricsPort, name)).get(labels);
const isOpen = async (): Promise<boolean> =>
  (await metric("gateway_upstream_breaker_open", '{service="identity"}')) === 1;
const requests = (outcome: string): Promise<number | undefined> =>
  metric("gateway_upstream_requests_total", `{service="identity",outcome="${outcome}"}`);

describe("the breaker of an upstream", () => {
  beforeEach(async () => {
    // An interval moves the window in which failures are counted. It does not pass here.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    gateway = await startTestGateway({ env: upstreamEnv(upstream.url, ["identity"]), upstreamResetMs: resetMs });
    vi.useRealTimers();
    key = (await gateway.createKey(await gateway.createAccount(), "read")).secret;
    return async () => {
      vi.useRealTimers();
      await gateway.stop();
    };
  });

  test("stays closed at 19 failures of 19, and opens at the 20th: then nothing is sent", async () => {
    upstream.answer = fails;
    await readOften(19);
    expect(await isOpen()).toBe(false);
    await readOften(1);
    expect(await isOpen()).toBe(true);
    expect(await read()).toMatchObject(refused("UPSTREAM_UNAVAILABLE"));
    expect(upstream.received).toHaveLength(20);
    expect(await requests("refused")).toBe(1);
    expect(await requests("unavailable")).toBe(20);
  });

  test.each([
    [11, 9, false],
    [10, 10, true],
  ])("after %i answers and %i failures it is open: %s", async (answered, failed, expected) => {
    upstream.answer = works;
    await readOften(answered);
    upstream.answer = fails;
    await readOften(failed);
    expect(await isOpen()).toBe(expected);
  });

  test("lets one request try when its time is over, and closes when that is answered", async () => {
    await openAndWait();
    upstream.answer = works;
    expect(await read()).toMatchObject({ status: 200 });
    expect(await isOpen()).toBe(false);
    expect(upstream.received).toHaveLength(21);
    expect(await read()).toMatchObject({ status: 200 });
  });

  test("stays open when the one that tries fails", async () => {
    await openAndWait();
    await readOften(2);
    expect(upstream.received).toHaveLength(21);
    expect(await isOpen()).toBe(true);
  });

  test.each([
    ["a refusal", refuses],
    ["429", (res: ServerResponse) => void res.writeHead(429).end()],
    ["an answer that fits no document", (res: ServerResponse) => void res.writeHead(200).end("?")],
  ])("never counts %s", async (_what, answer) => {
    upstream.answer = answer;
    await readOften(30);
    expect(await isOpen()).toBe(false);
    expect(upstream.received).toHaveLength(30);
  });

  /** Opens the breaker, and advances the time to the moment at which it tries again. */
  async function openAndWait(): Promise<void> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    upstream.answer = fails;
    await readOften(20);
    vi.advanceTimersByTime(resetMs - 1);
    await read();
    expect(upstream.received).toHaveLength(20);
    vi.advanceTimersByTime(1);
  }

  test("of one service leaves the others alone", async () => {
    upstream.answer = fails;
    await readOften(21);
    expect(await gateway.call({ target: "/api/v1/wallets", key })).toMatchObject({ status: 200 });
  });
});
