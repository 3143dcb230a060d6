import type { Tier } from "@gateway/platform/accounts";
import { createTestClock } from "@gateway/testkit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { countStatuses, limitHeadersOf } from "./support/limit-headers.ts";
import { expectHeard } from "./support/expect-heard.ts";
import { useGateway } from "./support/use-gateway.ts";
import { atOnce } from "./support/answers.ts";

const wallets = "/api/v1/wallets";
/** No window ends during a test, however busy the machine. */
const windowSeconds = 3_600;

describe("the limit of an account", () => {
  const gateway = useGateway({ rateLimitWindowSeconds: windowSeconds });

  const keyOf = async (options: { tier: Tier; requestsPerMinute?: number | null }): Promise<string> =>
    (await gateway.createKey(await gateway.createAccount(options), "read")).secret;

  test("of 200 requests at once exactly 10 pass on Explorer, and the others are told when to come back", async () => {
    const key = await keyOf({ tier: "explorer" });
    // After the first request the key is cached, so the others do not wait for a database connection.
    const first = await gateway.call({ target: wallets, key });
    const others = await atOnce(199, () => gateway.call({ target: wallets, key }));
    const answers = [first, ...others];
    expect(countStatuses(answers)).toEqual({ 200: 10, 429: 190 });
    const passed = answers.filter(({ status }) => status === 200).map((answer) => limitHeadersOf(answer).remaining);
    expect(passed.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const answer of answers.filter(({ status }) => status === 429)) {
      expect(answer).toMatchObject({
        headers: { "x-ratelimit-limit": "10", "x-ratelimit-remaining": "0" },
        json: { error: { code: "RATE_LIMITED" } },
      });
      expect(Number(answer.headers["retry-after"])).toBeLessThanOrEqual(windowSeconds);
    }
    expect(new Set(answers.map((answer) => limitHeadersOf(answer).resetSeconds)).size).toBe(1);
  });

  test("all keys of an account share one bucket, and no other account's", async () => {
    const account = await gateway.createAccount({ tier: "explorer" });
    const keys = await Promise.all(
      (["read", "write", "admin"] as const).map((permission) => gateway.createKey(account, permission)),
    );
    const answers = await atOnce(30, (index) => gateway.call({ target: wallets, key: keys[index % 3]?.secret ?? "" }));
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

  test("a change of tier counts, with a key that is in use", async () => {
    const account = await gateway.createAccount({ tier: "explorer" });
    const { secret: key } = await gateway.createKey(account, "read");
    await atOnce(10, () => gateway.call({ target: wallets, key }));
    expect((await gateway.call({ target: wallets, key })).status).toBe(429);
    await gateway.platform.accounts.changeTier({ id: account.id, tier: "enterprise", requestsPerMinute: 500_000 });
    await expectHeard(async () => {
      const next = await gateway.call({ target: wallets, key });
      return limitHeadersOf(next).limit === 500_000 && next.status === 200;
    });
  });
});

describe("the window", () => {
  const clock = createTestClock();
  const gateway = useGateway({ clock });
  // Windows are measured by elapsed time, whatever the time of day.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["performance"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("begins with the first request and lasts a minute: the 11th is 429 until the very end, as Retry-After and reset say", async () => {
    const { secret: key } = await gateway.createKey(await gateway.createAccount({ tier: "explorer" }), "read");
    const first = await gateway.call({ target: wallets, key });
    const resetSeconds = clock.now() / 1000 + 60;
    expect(limitHeadersOf(first)).toEqual({ limit: 10, remaining: 9, resetSeconds });
    pass(20_000);
    const others = await atOnce(9, () => gateway.call({ target: wallets, key }));
    expect(countStatuses(others)).toEqual({ 200: 9 });
    const eleventh = await gateway.call({ target: wallets, key });
    expect(eleventh).toMatchObject({ status: 429, headers: { "retry-after": "40" } });
    expect(limitHeadersOf(eleventh)).toEqual({ limit: 10, remaining: 0, resetSeconds });

    pass(39_999);
    expect(await gateway.call({ target: wallets, key })).toMatchObject({
      status: 429,
      headers: { "retry-after": "1" },
    });
    pass(1);
    const next = await gateway.call({ target: wallets, key });
    expect({ status: next.status, ...limitHeadersOf(next) }).toEqual({
      ...{ status: 200, limit: 10, remaining: 9 },
      resetSeconds: resetSeconds + 60,
    });
  });

  function pass(ms: number): void {
    vi.advanceTimersByTime(ms);
    clock.advance(ms);
  }
});
