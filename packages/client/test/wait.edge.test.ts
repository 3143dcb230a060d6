import { describe, expect, test } from "vitest";
import { systemDeps } from "../src/transport/deps.ts";
import { createClient } from "../src/index.ts";
import { data, refusal, startFakeGateway } from "./support/fake-gateway.ts";
import { apiKey, failureOf } from "./support/test-client.ts";

describe("on the real clock", () => {
  test("429 with Retry-After: 1 is waited out", async () => {
    const gateway = await startFakeGateway(refusal(429, "RATE_LIMITED", { "Retry-After": "1" }), data({ id: "acc_1" }));
    const client = createClient({ apiKey, baseUrl: gateway.url });
    const startedAtMs = performance.now();
    expect(await client.account.get()).toEqual({ id: "acc_1" });
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(999);
    await gateway.stop();
  });

  test("a wait ends with the signal's reason, whether it aborts before or within", async () => {
    const reason = new Error("The person went away.");
    const stop = new AbortController();
    const waiting = failureOf(systemDeps.sleep(60_000, [new AbortController().signal, stop.signal]));
    stop.abort(reason);
    expect(await waiting).toBe(reason);
    expect(await failureOf(systemDeps.sleep(60_000, [stop.signal]))).toBe(reason);
    await systemDeps.sleep(1, []);
  });
});
