import { createTestClock } from "@gateway/testkit";
import type { ClientMetadata } from "oidc-provider";
import { describe, expect, test, vi } from "vitest";
import { createKnownClients } from "../src/provider/known-clients.ts";

const app: ClientMetadata = { client_id: "app" };

function createClients(load: () => Promise<ClientMetadata | undefined>) {
  const clock = createTestClock(Date.now());
  const loading = vi.fn<() => Promise<ClientMetadata | undefined>>(load);
  const findKnown = createKnownClients({ clock, isExchange: () => true });
  return { clock, loading, find: () => findKnown("app", loading) };
}

describe("the application of exchanges", () => {
  test("is read once for a hundred at once, and once a minute", async () => {
    const { clock, loading, find } = createClients(async () => app);
    expect(await Promise.all(Array.from({ length: 100 }, find))).toEqual(Array(100).fill(app));
    clock.advance(59_999);
    await find();
    expect(loading).toHaveBeenCalledTimes(1);
    clock.advance(1);
    await find();
    expect(loading).toHaveBeenCalledTimes(2);
  });

  test.each([
    ["that could not be read", () => Promise.reject(new Error("away")), "away"],
    ["that is not there", async () => undefined, undefined],
  ])("%s is asked for again", async (_name, load, outcome) => {
    const { loading, find } = createClients(load);
    const settled = () => find().catch((error: Error) => error.message);
    expect(await settled()).toBe(outcome);
    expect(await settled()).toBe(outcome);
    expect(loading).toHaveBeenCalledTimes(2);
  });
});
