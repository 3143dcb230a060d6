import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Hooks, RequestEvent, ResponseEvent, RetryEvent } from "../src/index.ts";
import { cut, data, meta, refusal } from "./support/fake-gateway.ts";
import { apiKey, startTestClient } from "./support/test-client.ts";

type Seen = [name: string, event: RequestEvent | ResponseEvent | RetryEvent];

/** Hooks that note what they see. */
function note(): { seen: Seen[]; hooks: Hooks } {
  const seen: Seen[] = [];
  const noteAs = (name: string) => (event: RequestEvent) => void seen.push([name, event]);
  return { seen, hooks: { onRequest: noteAs("request"), onResponse: noteAs("response"), onRetry: noteAs("retry") } };
}

describe("hooks see", () => {
  test("each request, each whole answer, and why and when it is tried again", async () => {
    const { seen, hooks } = note();
    const busy = refusal(503, "UNAVAILABLE", { "X-Request-Id": "req_2" });
    const { client, gateway } = await startTestClient(
      [cut, busy, data({ id: "wal_1" }, {}, { "X-Request-Id": "req_3" })],
      hooks,
    );
    await client.wallets.create({ name: "a", currency: "EUR" }, { idempotencyKey: "k" });
    const call = { method: "POST", url: `${gateway.url}/api/v1/wallets`, idempotencyKey: "k" };
    const durationMs = expect.any(Number) as unknown;
    expect(seen).toMatchObject([
      ["request", { ...call, tryNumber: 1 }],
      ["retry", { ...call, tryNumber: 1, delayMs: 250, error: { code: "CONNECTION_FAILED" } }],
      ["request", { ...call, tryNumber: 2 }],
      ["response", { ...call, tryNumber: 2, status: 503, requestId: "req_2", durationMs }],
      ["retry", { ...call, tryNumber: 2, delayMs: 500, error: { code: "UNAVAILABLE", requestId: meta.requestId } }],
      ["request", { ...call, tryNumber: 3 }],
      ["response", { ...call, tryNumber: 3, status: 200, requestId: "req_3", durationMs }],
    ]);
  });

  test("a refusal that ends the call, and no wait after it", async () => {
    const { seen, hooks } = note();
    const { client } = await startTestClient([refusal(404, "NOT_FOUND")], hooks);
    await client.wallets.get("wal_1").catch(() => {});
    expect(seen).toMatchObject([
      ["request", { method: "GET", idempotencyKey: null }],
      ["response", { status: 404 }],
    ]);
  });

  test("both requests where a token is renewed", async () => {
    const { seen, hooks } = note();
    let count = 0;
    const accessToken = (): string => `token-${++count}`;
    const { client } = await startTestClient([refusal(401, "UNAUTHENTICATED"), data({})], { ...hooks, accessToken });
    await client.account.get();
    expect(seen.map(([name, { tryNumber }]) => [name, tryNumber])).toEqual([
      ["request", 1],
      ["response", 1],
      ["request", 1],
      ["response", 1],
    ]);
  });

  test.each([
    ["key", {}, apiKey],
    ["token", { accessToken: "secret-token" }, "secret-token"],
  ])("no %s, and nothing of what is sent or answered but headers of the answer", async (_name, credential, secret) => {
    const { seen, hooks } = note();
    const replies = [cut, data({ id: "key_1", secret: "answered" })];
    const { client } = await startTestClient(replies, { ...credential, ...hooks });
    await client.apiKeys.create({ name: "sent", permission: "read" });
    expect(seen).toHaveLength(4);
    const text = JSON.stringify(seen, (_key, value: unknown) =>
      value instanceof Headers ? [...value] : value instanceof Error ? [...Object.entries(value), value.stack] : value,
    );
    expect(text).not.toMatch(new RegExp(`${secret}|sent|answered`));
  });
});

describe("a hook does no harm", () => {
  const faults: [name: string, hook: () => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("of the hook");
      },
    ],
    ["rejects", () => Promise.reject(new Error("of the hook"))],
  ];
  test.each(faults)("that %s: the call goes on, and the platform is told", async (_name, hook) => {
    const unhandled: unknown[] = [];
    const others = process.rawListeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", (error) => unhandled.push(error));
    const { client } = await startTestClient([refusal(503, "UNAVAILABLE"), data({ id: "acc_1" })], {
      onRequest: hook,
      onResponse: hook,
      onRetry: hook,
    });
    expect(await client.account.get()).toEqual({ id: "acc_1" });
    await setImmediate();
    process.removeAllListeners("unhandledRejection");
    others.forEach((listener) => process.on("unhandledRejection", listener as () => void));
    expect(unhandled.map(String)).toEqual(Array(5).fill("Error: of the hook"));
  });

  test("that never ends: nothing waits for it", async () => {
    const { client } = await startTestClient([data({ id: "acc_1" })], { onRequest: () => new Promise(() => {}) });
    expect(await client.account.get()).toEqual({ id: "acc_1" });
  });
});
