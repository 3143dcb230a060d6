import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemDeps } from "../src/transport/deps.ts";
import { createClient } from "../src/index.ts";
import { data, refusal, startFakeGateway } from "./support/fake-gateway.ts";
import { apiKey, failureOf } from "./support/test-client.ts";

describe("with the timers of the process, which a test moves", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => {
    // First: restored after the real timers, the spy would put those that stand still in their place, for all later
    // files.
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test("429 with Retry-After: 1 is waited out", async () => {
    const gateway = await startFakeGateway(refusal(429, "RATE_LIMITED", { "Retry-After": "1" }), data({ id: "acc_1" }));
    const client = createClient({ apiKey, baseUrl: gateway.url });
    const timers = vi.spyOn(globalThis, "setTimeout");
    const answer = client.account.get();
    while (!timers.mock.calls.some(([, delayMs = 0]) => delayMs >= 1_000 && delayMs < 2_000)) {
      await setImmediate();
    }
    await vi.advanceTimersByTimeAsync(999);
    expect(gateway.seen).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(await answer).toEqual({ id: "acc_1" });
    await gateway.stop();
  });

  test("a wait ends with the signal's reason, whether it aborts before or within", async () => {
    const reason = new Error("The person went away.");
    const stop = new AbortController();
    const waiting = failureOf(systemDeps.sleep(60_000, [new AbortController().signal, stop.signal]));
    stop.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await failureOf(systemDeps.sleep(60_000, [stop.signal]))).toBe(reason);
    const slept = systemDeps.sleep(1, []);
    vi.advanceTimersByTime(1);
    await slept;
  });
});
