import { waitFor } from "@gateway/testkit";
import { tierLimits, type Tier } from "@gateway/platform";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "./support/http-client.ts";
import { countStatuses, limitHeadersOf } from "./support/limit-headers.ts";
import { expectHeard } from "./support/expect-heard.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const wallets = "/api/v1/wallets";

describe("the limit of an account", () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  const keyOf = async (options: { tier: Tier; requestsPerMinute?: number | null }): Promise<string> =>
    (await gateway.createKey(await gateway.createAccount(options), "read")).secret;

  test("of 200 requests at once exactly 10 pass on Explorer, and the others are told when to come back", async () => {
    const key = await keyOf({ tier: "explorer" });
    // The first one makes the key known, so that the others wait for no connection to the database.
    const first = await gateway.call({ target: wallets, key });
    const others = await Promise.all(Array.from({ length: 199 }, () => gateway.call({ target: wallets, key })));
    const answers = [first, ...others];
    expect(countStatuses(answers)).toEqual({ 200: 10, 429: 190 });
    const passed = answers.filter(({ status }) => status === 200).map((answer) => limitHeadersOf(answer).remaining);
    expect(passed.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(answer).toMatchObject({
        headers: { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0" },
        json: { error: { code: "RATE_LIMITED" } },
      });
      expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(60);
    }
    expect(new Set(answers.map((answer) => limitHeadersOf(answer).resetSeconds)).size).toBe(1);
  });

  test("all keys of an account share one bucket, and no other account's", async () => {
    const account = await gateway.createAccount({ tier: "explorer" });
    const keys = await Promise.all(
      (["read", "write", "admin"] as const).map((permission) => gateway.createKey(account, permission)),
    );
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => gateway.call({ target: wallets, key: keys[index % 3]?.secret ?? "" })),
    );
    expect(countStatuses(answers)).toEqual({ 200: 10, 429: 20 });
    const other = await gateway.call({ target: wallets, key: await keyOf({ tier: "explorer" }) });
    expect(limitHeadersOf(other)).toMatchObject({ limit: 10, remaining: 9 });
  });

  test.each<[string, { tier: Tier; requestsPerMinute?: number | null }, number]>([
    ["explorer", { tier: "explorer" }, 10],
    ["starter", { tier: "starter" }, 30],
    ["growth", { tier: "growth" }, 60],
    ["enterprise", { tier: "enterprise", requestsPerMinute: null }, 300],
    ["an enterprise account's own", { tier: "enterprise", requestsPerMinute: 345 }, 345],
  ])("%s: so many requests pass, and no more", async (_name, options, limit) => {
    const key = await keyOf(options);
    const answers = await Promise.all(Array.from({ length: limit + 3 }, () => gateway.call({ target: wallets, key })));
    expect(countStatuses(answers)).toEqual({ 200: limit, 429: 3 });
    expect(answers.every((answer) => limitHeadersOf(answer).limit === limit)).toBe(true);
  });

  test("a change of tier counts within a second, with a key that is in use", async () => {
    const account = await gateway.createAccount({ tier: "explorer" });
    const { secret: key } = await gateway.createKey(account, "read");
    await Promise.all(Array.from({ length: 10 }, () => gateway.call({ target: wallets, key })));
    expect((await gateway.call({ target: wallets, key })).status).toBe(429);
    await gateway.platform.accounts.changeTier({ id: account.id, tier: "starter", requestsPerMinute: null });
    await expectHeard(async () => {
      const next = await gateway.call({ target: wallets, key });
      return limitHeadersOf(next).limit === tierLimits.starter && next.status === 200;
    });
  });
});

describe("the window", () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startTestGateway({ rateLimitWindowSeconds: 2 });
  });
  afterAll(() => gateway.stop());

  /** Null when a busy machine took longer than the window. */
  const askElevenTimes = async (): Promise<{ key: string; first: Answer[]; eleventh: Answer } | null> => {
    const { secret: key } = await gateway.createKey(await gateway.createAccount({ tier: "explorer" }), "read");
    const beganAt = performance.now();
    const first = await Promise.all(Array.from({ length: 10 }, () => gateway.call({ target: wallets, key })));
    const eleventh = await gateway.call({ target: wallets, key });
    return performance.now() - beganAt < 2000 ? { key, first, eleventh } : null;
  };

  test("the 11th request is 429 with a Retry-After that is true, and the next window answers 200", async () => {
    const { key, first, eleventh } = await waitFor(askElevenTimes);
    const askedAtMs = Date.now();
    expect(countStatuses(first)).toEqual({ 200: 10 });
    const { resetSeconds, ...left } = limitHeadersOf(eleventh);
    expect({ status: eleventh.status, ...left }).toEqual({ status: 429, limit: 10, remaining: 0 });
    const retryAtMs = askedAtMs + Number(eleventh.headers["retry-after"]) * 1000;
    await waitFor(() => Date.now() >= Math.min(resetSeconds * 1000, retryAtMs));
    const next = await gateway.call({ target: wallets, key });
    expect({ status: next.status, remaining: limitHeadersOf(next).remaining }).toEqual({ status: 200, remaining: 9 });
    expect(limitHeadersOf(next).resetSeconds).toBeGreaterThan(resetSeconds);
  });

  test("begins with the first request, so the reset is never further away than a window", async () => {
    const { secret: key } = await gateway.createKey(await gateway.createAccount({ tier: "explorer" }), "read");
    const sentAtMs = Date.now();
    const { resetSeconds } = limitHeadersOf(await gateway.call({ target: wallets, key }));
    expect(resetSeconds * 1000).toBeGreaterThanOrEqual(sentAtMs + 2000);
    expect(resetSeconds * 1000).toBeLessThan(Date.now() + 3000);
  });
});
