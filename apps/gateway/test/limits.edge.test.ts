import { createApiKeySecret, type Tier } from "@gateway/platform/accounts";
import { createTestClock } from "@gateway/testkit";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTypeId } from "@gateway/kernel";
import type { OperationHandler } from "../src/operations/operation.ts";
import { operationTable } from "../src/operations/index.ts";
import { countStatuses, limitHeadersOf } from "./support/limit-headers.ts";
import { expectHeard } from "./support/expect-heard.ts";
import { useGateway } from "./support/use-gateway.ts";
import { atOnce } from "./support/answers.ts";
import type { Answer, Ask } from "./support/http-client.ts";

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

/** A trusted proxy names the address of the client, so one machine can play many clients. */
describe("the limit of an address", () => {
  const gateway = useGateway({ env: { TRUSTED_PROXIES: "127.0.0.1" }, rateLimitWindowSeconds: 3_600 });

  const callFrom = (address: string, key?: string): Promise<Answer> =>
    gateway.call({
      target: "/api/v1/wallets",
      headers: { "X-Forwarded-For": address, ...(key !== undefined && { "X-API-Key": key }) },
    });

  test("guessing keys ends after 10 guesses a minute, whatever key is tried", async () => {
    const guesses = [undefined, "", "nonsense", createApiKeySecret(true)];
    const answers = await atOnce(40, (index) =>
      callFrom("192.0.2.1", index < guesses.length ? guesses[index] : createApiKeySecret(false)),
    );
    expect(countStatuses(answers)).toEqual({ 401: 10, 429: 30 });
    expect(answers.every((answer) => limitHeadersOf(answer).limit === 10)).toBe(true);
    const remaining = answers.filter(({ status }) => status === 401).map((answer) => limitHeadersOf(answer).remaining);
    expect(remaining.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test.each([
    ["with a port", (last: number) => `198.18.7.${last}:50001`],
    ["of IPv6 with a port", (last: number) => `[2001:db8:7:${last}::1]:50001`],
    ["in brackets", (last: number) => `[2001:db8:8:${last}::1]`],
    ["behind what a client made up", (last: number) => `unknown, 198.18.8.${last}:443`],
  ])("an address %s is an address, and one does not use up another's limit", async (_form, addressOf) => {
    const first = await atOnce(12, () => callFrom(addressOf(1)));
    expect(countStatuses(first)).toEqual({ 401: 10, 429: 2 });
    expect((await callFrom(addressOf(2))).status).toBe(401);
  });

  test("of what is no address, the proxy that says so is counted", async () => {
    const remaining = async (entry: string) => limitHeadersOf(await callFrom(entry)).remaining;
    const before = await remaining("unknown");
    expect([await remaining("_hidden"), await remaining("127.0.0.1")]).toEqual([before - 1, before - 2]);
  });

  test("a revoked key counts by address too, and a good key from an exhausted address still works", async () => {
    const account = await gateway.createAccount();
    const revoked = await gateway.createKey(account, "read");
    await gateway.platform.accounts.apiKeys.revoke({ id: revoked.id, accountId: account.id });
    const answers = await atOnce(12, () => callFrom("192.0.2.2", revoked.secret));
    expect(countStatuses(answers)).toEqual({ 401: 10, 429: 2 });
    const { secret } = await gateway.createKey(account, "read");
    expect((await callFrom("192.0.2.2", secret)).status).toBe(200);
  });

  test("unknown paths without a credential are counted as well", async () => {
    const answers = await atOnce(12, (index) =>
      gateway.call({ target: `/${index}`, headers: { "X-Forwarded-For": "192.0.2.3" } }),
    );
    expect(countStatuses(answers)).toEqual({ 404: 10, 429: 2 });
  });

  test("the addresses of one IPv6 /64 share a bucket; the next /64 and an IPv4 neighbour have their own", async () => {
    const answers = await atOnce(12, (index) => callFrom(`2001:db8:1:2:${index}::${index}`));
    expect(countStatuses(answers)).toEqual({ 401: 10, 429: 2 });
    for (const address of ["2001:db8:1:3::1", "192.0.2.4"]) {
      expect(limitHeadersOf(await callFrom(address))).toMatchObject({ limit: 10, remaining: 9 });
    }
  });

  test("an IPv4 address in IPv6 clothing is the same client", async () => {
    await atOnce(9, () => callFrom("192.0.2.5"));
    expect(limitHeadersOf(await callFrom("::ffff:192.0.2.5"))).toMatchObject({ remaining: 0 });
    expect((await callFrom("192.0.2.5")).status).toBe(429);
  });
});

const crash: OperationHandler<"getAccount"> = async () => {
  throw new Error("a fault of ours");
};

const requests: [status: number, request: Ask][] = [
  [200, { target: "/api/v1/wallets" }],
  [201, { method: "POST", target: "/api/v1/wallets", body: { name: "W", currency: "EUR" } }],
  [400, { target: "/api/v1/wallets?limit=0" }],
  [400, { method: "POST", target: "/api/v1/wallets", headers: { "Content-Type": "application/json" }, body: "{" }],
  [403, { target: "/api/v1/api-keys" }],
  [404, { target: "/api/v1/nothing" }],
  [404, { target: `/api/v1/wallets/${createTypeId("wal")}` }],
  [405, { method: "PUT", target: "/api/v1/wallets", body: {} }],
  [413, { method: "POST", target: "/api/v1/wallets", body: { name: "x".repeat(300_000) } }],
  [415, { method: "POST", target: "/api/v1/wallets", headers: { "Content-Type": "text/plain" }, body: "name" }],
  [500, { target: "/api/v1/account" }],
];

describe("the three headers", () => {
  const gateway = useGateway({
    operationTable: { ...operationTable, getAccount: crash },
    rateLimitWindowSeconds: 3_600,
  });

  test("count down by one with every answer of whatever status, and the reset stands still", async () => {
    const account = await gateway.createAccount({ tier: "enterprise", requestsPerMinute: 300 });
    const { secret: key } = await gateway.createKey(account, "write");
    const resets = new Set<number>();
    for (const [index, [status, request]] of requests.entries()) {
      const answer = await gateway.call({ ...request, key });
      const { resetSeconds, ...left } = limitHeadersOf(answer);
      expect({ status: answer.status, ...left }).toEqual({ status, limit: 300, remaining: 299 - index });
      resets.add(resetSeconds);
    }
    expect(resets.size).toBe(1);
  });

  test("a request over the limit is 429 whatever else is wrong with it", async () => {
    const { secret: key } = await gateway.createKey(await gateway.createAccount({ tier: "explorer" }), "write");
    await Promise.all(Array.from({ length: 10 }, () => gateway.call({ target: "/api/v1/wallets", key })));
    for (const [, request] of requests) {
      const answer = await gateway.call({ ...request, key });
      expect({ status: answer.status, ...limitHeadersOf(answer) }).toMatchObject({
        status: 429,
        limit: 10,
        remaining: 0,
      });
    }
  });
});
