import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClient } from "../src/index.ts";
import { data, refusal } from "./support/fake-gateway.ts";
import { apiKey, failureOf, startTestClient } from "./support/test-client.ts";

/** What browsers have only since Safari 17 and later, so that no path of the client may need it. */
const newer = [
  [AbortSignal, "any"],
  [AbortSignal, "timeout"],
  [URL, "canParse"],
  [Promise, "withResolvers"],
  [Object, "groupBy"],
] as const;

beforeEach(() => {
  for (const [owner, name] of newer) {
    vi.spyOn(owner as unknown as Record<string, () => never>, name).mockImplementation(() => {
      throw new TypeError(`${name} is not a function`);
    });
  }
});
afterEach(() => vi.restoreAllMocks());

test("a call with a signal is tried again, also with a token that is fetched", async () => {
  const { signal } = new AbortController();
  const accessToken = (): Promise<string> => Promise.resolve("token");
  const { client, gateway } = await startTestClient([refusal(503, "UNAVAILABLE"), data({ id: "acc_1" })], {
    apiKey: undefined,
    accessToken,
  });
  expect(await client.account.get({ signal })).toMatchObject({ id: "acc_1" });
  expect(gateway.seen).toHaveLength(2);
});

test("a signal that aborts ends the wait for a token with its reason", async () => {
  const reason = new Error("The person went away.");
  const stop = new AbortController();
  const accessToken = (): Promise<string> => {
    stop.abort(reason);
    return new Promise(() => {});
  };
  const { client } = await startTestClient([], { apiKey: undefined, accessToken });
  expect(await failureOf(client.account.get({ signal: stop.signal }))).toBe(reason);
});

test("an address that is none is told as that", () => {
  expect(() => createClient({ baseUrl: "nowhere", apiKey })).toThrow("https://api.example.com");
});
