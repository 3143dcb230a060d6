import { runInThisContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { createClient } from "../src/index.ts";
import { hideNewerApis, newerApis } from "./support/browser-table.ts";
import { data, refusal } from "./support/fake-gateway.ts";
import { apiKey, failureOf, startTestClient } from "./support/test-client.ts";

/**
 * Every suite of the client that sends something, once more, in a browser that has nothing newer than the README
 * promises.
 */
const suites = ["abort", "calls", "errors", "follow", "hooks", "oauth-without-locks", "retries", "wait", "webhooks"];

const restore = hideNewerApis();
afterAll(restore);

test("they are hidden from the client alone", () => {
  expect(newerApis.length).toBeGreaterThan(40);
  expect(structuredClone({ a: 1 })).toEqual({ a: 1 });
  const source = "() => AbortSignal.timeout(1000)";
  const ofClient = runInThisContext(source, { filename: "/packages/client/src/x.ts" }) as () => unknown;
  expect(ofClient).toThrow("timeout is not a function in the oldest browsers");
});

for (const suite of suites) {
  // The query makes it another module than the one of the suite itself, so its tests are these ones too.
  await import(`./${suite}.edge.test.ts?older-browsers`);
}

describe("in an older browser", () => {
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
});
