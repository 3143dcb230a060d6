import { describe, expect, test } from "vitest";
import { GatewayError, RateLimitError } from "../src/index.ts";
import { demandedWaitMs } from "../src/transport/demanded-wait.ts";
import { answer, breakOff, cut, data, hang, refusal, type Reply } from "./support/fake-gateway.ts";
import { failureOf, startTestClient } from "./support/test-client.ts";

const account = data({ id: "acc_1" });
const busy = refusal(503, "UNAVAILABLE");

describe("what will pass is tried again", () => {
  const passing: [name: string, reply: Reply][] = [
    ["429", refusal(429, "RATE_LIMITED")],
    ["502 of a proxy, in HTML", (res) => answer(res, 502, "<html>Bad gateway</html>", { "Content-Type": "text/html" })],
    ["503", busy],
    ["504", refusal(504, "UNAVAILABLE")],
    ["409 while the first request with the key still runs", refusal(409, "IDEMPOTENCY_IN_PROGRESS")],
    ["a connection that is cut", cut],
    ["a body that breaks off", breakOff],
    ["a body that ends early and says it is whole", (res) => answer(res, 200, '{"data":{"id":')],
  ];

  test.each(passing)("%s", async (_name, reply) => {
    const { client, gateway, waits } = await startTestClient([reply, account]);
    expect(await client.account.get()).toEqual({ id: "acc_1" });
    expect(gateway.seen).toHaveLength(2);
    expect(waits).toHaveLength(1);
  });

  test("no answer within the time for one try", async () => {
    const { client, gateway } = await startTestClient([hang, account], { tryTimeoutMs: 1_000 });
    expect(await client.account.get()).toEqual({ id: "acc_1" });
    expect(gateway.seen).toHaveLength(2);
  });
});

describe("what will not pass is told at once", () => {
  test.each([
    [400, "INVALID_REQUEST"],
    [401, "UNAUTHENTICATED"],
    [403, "FORBIDDEN"],
    [404, "NOT_FOUND"],
    [409, "WEBHOOK_LIMIT_REACHED"],
    [500, "INTERNAL_ERROR"],
  ])("%i %s", async (status, code) => {
    const { client, gateway } = await startTestClient([refusal(status, code), account]);
    expect(await failureOf(client.account.get())).toMatchObject({ status, code, tries: 1 });
    expect(gateway.seen).toHaveLength(1);
  });

  test("a success that is not the gateway's", async () => {
    const { client } = await startTestClient([
      (res) => answer(res, 200, "<html>Sign in to the hotel</html>", { "Content-Type": "text/html" }),
    ]);
    expect(await failureOf(client.account.get())).toMatchObject({ code: "INVALID_ANSWER", status: 200, tries: 1 });
  });

  test("a redirect, which would carry the key to wherever it points", async () => {
    const elsewhere = await startTestClient([account]);
    const { client } = await startTestClient([
      (res) => answer(res, 307, "", { Location: `${elsewhere.gateway.url}/api/v1/account` }),
    ]);
    expect(await failureOf(client.account.get())).toMatchObject({ status: 307, code: "HTTP_307" });
    expect(elsewhere.gateway.seen).toEqual([]);
  });
});

describe("how long it waits", () => {
  test("429 with Retry-After: 1 twice: one result, two waits of a second and the jitter", async () => {
    const limited = refusal(429, "RATE_LIMITED", { "Retry-After": "1" });
    const { client, gateway, waits } = await startTestClient([limited, limited, account]);
    expect(await client.account.get()).toEqual({ id: "acc_1" });
    expect(waits).toEqual([1250, 1500]);
    expect(gateway.seen).toHaveLength(3);
  });

  test("full jitter: anything from nothing to a limit that doubles", async () => {
    for (const [random, expected] of [
      [0, [0, 0, 0]],
      [0.999, [499.5, 999, 1998]],
    ] as const) {
      const { client, waits } = await startTestClient([busy], {}, () => random);
      await failureOf(client.account.get());
      expect(waits).toEqual(expected);
    }
  });

  test("what an answer asks for, as seconds, as a date, or by the reset of the limit", () => {
    const sentAt = Date.UTC(2026, 0, 1, 12);
    const wait = (headers: Record<string, string>): number | null => demandedWaitMs(new Headers(headers), sentAt);
    const date = new Date(sentAt + 7_000).toUTCString();
    const reset = String(sentAt / 1000 + 9);
    expect(wait({})).toBeNull();
    expect(wait({ "Retry-After": "3" })).toBe(3_000);
    expect(wait({ "Retry-After": "0" })).toBe(0);
    expect(wait({ "Retry-After": date })).toBe(7_000);
    expect(wait({ "Retry-After": new Date(sentAt - 5_000).toUTCString() })).toBe(0);
    expect(wait({ "Retry-After": "soon" })).toBeNull();
    expect(wait({ "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset })).toBe(9_000);
    expect(wait({ "X-RateLimit-Remaining": "4", "X-RateLimit-Reset": reset })).toBeNull();
    expect(wait({ "Retry-After": "3", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset })).toBe(3_000);
    // The response's own clock counts, so that a wrong one here has no effect.
    expect(wait({ "Retry-After": date, Date: new Date(sentAt + 4_000).toUTCString() })).toBe(3_000);
  });

  test("no wait that would end after the time for the call: the failure is told at once, with the wait", async () => {
    const limited = refusal(429, "RATE_LIMITED", { "Retry-After": "50" });
    const { client, waits } = await startTestClient([limited], { timeoutMs: 40_000 });
    const error = await failureOf(client.account.get());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterMs: 50_000, tries: 1 });
    expect(waits).toEqual([]);
  });
});

describe("how often", () => {
  test("three times, then the last failure", async () => {
    const { client, gateway } = await startTestClient([busy]);
    const error = await failureOf(client.account.get());
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ status: 503, code: "UNAVAILABLE", tries: 4 });
    expect(gateway.seen).toHaveLength(4);
  });

  test("as the client says, or the call", async () => {
    const { client, gateway } = await startTestClient([busy], { maxRetries: 1 });
    await failureOf(client.account.get());
    await failureOf(client.account.get({ maxRetries: 0 }));
    expect(gateway.seen).toHaveLength(3);
  });

  test("not beyond the time for the whole call", async () => {
    const { client, gateway } = await startTestClient([hang], { timeoutMs: 1_000, tryTimeoutMs: 5_000 });
    expect(await failureOf(client.account.get())).toMatchObject({
      name: "TimeoutError",
      code: "TIMEOUT",
      status: null,
    });
    expect(gateway.seen).toHaveLength(1);
  });
});

describe("an idempotency key names one logical POST", () => {
  const wallet = { name: "Payroll", currency: "EUR" } as const;

  test("it is the same at every try, and another for another call", async () => {
    const { client, gateway } = await startTestClient([cut, busy, data({ id: "wal_1" })]);
    await client.wallets.create(wallet);
    await client.wallets.create(wallet);
    const [first, second, third, other] = gateway.seen.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toMatch(/^[\w-]{43}$/);
    expect([second, third]).toEqual([first, first]);
    expect(other).not.toBe(first);
    expect(gateway.seen.map(({ body }) => body)).toEqual(Array(4).fill(JSON.stringify(wallet)));
  });

  test("it is the caller's, where the caller has one", async () => {
    const { client, gateway } = await startTestClient([data({ id: "wal_1" })]);
    await client.wallets.create(wallet, { idempotencyKey: "payroll-7" });
    await client.POST("/api/v1/wallets", { body: wallet, idempotencyKey: "payroll-8" });
    await client.POST("/api/v1/wallets", { body: wallet, params: { header: { "Idempotency-Key": "payroll-9" } } });
    expect(gateway.seen.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "payroll-7",
      "payroll-8",
      "payroll-9",
    ]);
  });

  test("no other method has one", async () => {
    const { client, gateway } = await startTestClient([data({})]);
    await client.webhooks.get("whk_1");
    await client.webhooks.update("whk_1", { description: "x" });
    await client.webhooks.delete("whk_1");
    expect(gateway.seen.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined, undefined, undefined]);
  });
});

describe("a signal ends a call with its own reason", () => {
  const reason = new Error("The person went away.");

  test.each(["of the call", "of the client"])("%s, while it waits for an answer", async (whose) => {
    const stop = new AbortController();
    const isOfCall = whose === "of the call";
    const { client, gateway } = await startTestClient(
      [() => stop.abort(reason)],
      isOfCall ? {} : { signal: stop.signal },
    );
    expect(await failureOf(client.account.get(isOfCall ? { signal: stop.signal } : {}))).toBe(reason);
    expect(gateway.seen).toHaveLength(1);
  });

  test("before anything is sent", async () => {
    const { client, gateway } = await startTestClient([account]);
    expect(await failureOf(client.account.get({ signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(gateway.seen).toEqual([]);
  });

  test("without a reason it is an AbortError", async () => {
    const stop = new AbortController();
    const { client } = await startTestClient([() => stop.abort()]);
    expect(await failureOf(client.account.get({ signal: stop.signal }))).toMatchObject({ name: "AbortError" });
  });

  test("while it waits for a token", async () => {
    const stop = new AbortController();
    const accessToken = (): Promise<string> => {
      stop.abort(reason);
      return new Promise(() => {});
    };
    const { client, gateway } = await startTestClient([account], { accessToken });
    expect(await failureOf(client.account.get({ signal: stop.signal }))).toBe(reason);
    expect(gateway.seen).toEqual([]);
  });
});
