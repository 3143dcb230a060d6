import { describe, expect, test } from "vitest";
import { createClient, type ClientOptions } from "../src/index.ts";
import { data, refusal } from "./support/fake-gateway.ts";
import { apiKey, failureOf, startTestClient } from "./support/test-client.ts";

const liveKey = apiKey.replace("test", "live");

describe("a mistake in the options is told when the client is made, without the secret", () => {
  test.each<[name: string, options: object, message: RegExp]>([
    ["no credential", { environment: "sandbox" }, /takes one of apiKey, accessToken and oauth, not 0/],
    ["two credentials", { apiKey, accessToken: "t", environment: "sandbox" }, /not 2/],
    [
      "a key that was cut",
      { apiKey: apiKey.slice(0, -1), environment: "sandbox" },
      /of the form gk_test_… or gk_live_…/,
    ],
    ["a key with a line end", { apiKey: `${apiKey}\n`, environment: "sandbox" }, /copied whole/],
    ["an empty token", { accessToken: "", environment: "sandbox" }, /accessToken that is not empty/],
    [
      "a test key for production",
      { apiKey, environment: "production" },
      /gk_test_ key, which opens sandbox, not production/,
    ],
    ["a live key for the sandbox", { apiKey: liveKey, environment: "sandbox" }, /opens production, not sandbox/],
    ["no place", { apiKey }, /takes one of environment and baseUrl/],
    [
      "two places",
      { apiKey, environment: "sandbox", baseUrl: "https://a.example" },
      /takes one of environment and baseUrl/,
    ],
    ["an unknown environment", { apiKey, environment: "staging" }, /not staging|needs a baseUrl/],
    ["a base URL without a scheme", { apiKey, baseUrl: "api.example.com" }, /needs a baseUrl such as/],
    ["a base URL of another scheme", { apiKey, baseUrl: "ftp://api.example.com" }, /needs a baseUrl such as/],
    ["a base URL with a query", { apiKey, baseUrl: "https://a.example/?x=1" }, /needs a baseUrl such as/],
    ["a time that is no number", { apiKey, environment: "sandbox", timeoutMs: Number.NaN }, /needs a timeoutMs from 0/],
    ["less than no retries", { apiKey, environment: "sandbox", maxRetries: -1 }, /needs a maxRetries from 0/],
  ])("%s", (_name, options, message) => {
    const make = (): unknown => createClient(options as ClientOptions);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
    expect(make).not.toThrow(/AAAA/);
  });
});

describe("where it calls", () => {
  test.each<[ClientOptions, string]>([
    [{ apiKey, environment: "sandbox" }, "https://sandbox.api.gateway.example/api/v1/account"],
    [{ apiKey: liveKey, environment: "production" }, "https://api.gateway.example/api/v1/account"],
    [{ apiKey, baseUrl: "https://gateway.internal:8443" }, "https://gateway.internal:8443/api/v1/account"],
    [{ apiKey, baseUrl: "https://proxy.example/gateway/" }, "https://proxy.example/gateway/api/v1/account"],
  ])("%o", async (options, expected) => {
    const urls: string[] = [];
    const client = createClient({
      ...options,
      fetch: async (url) => {
        urls.push(url);
        return Response.json({ data: {}, meta: {} });
      },
    });
    await client.account.get();
    expect(urls).toEqual([expected]);
  });
});

describe("an access token", () => {
  test("is sent as it is", async () => {
    const { client, gateway } = await startTestClient([data({})], { accessToken: "one.two.three" });
    await client.account.get();
    expect(gateway.seen[0]?.headers).toMatchObject({ authorization: "Bearer one.two.three" });
    expect(gateway.seen[0]?.headers).not.toHaveProperty("x-api-key");
  });

  test("of a function is asked for at each call, and once more when it is refused", async () => {
    const asked: (string | undefined)[] = [];
    const accessToken = (refused?: string): string => {
      asked.push(refused);
      return `token-${asked.length}`;
    };
    const { client, gateway } = await startTestClient([refusal(401, "UNAUTHENTICATED"), data({ id: "acc_1" })], {
      accessToken,
    });
    expect(await client.account.get()).toEqual({ id: "acc_1" });
    expect(asked).toEqual([undefined, "token-1"]);
    expect(gateway.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  test("that is refused twice is refused", async () => {
    let count = 0;
    const { client, gateway } = await startTestClient([refusal(401, "UNAUTHENTICATED")], {
      accessToken: async () => `token-${++count}`,
    });
    expect(await failureOf(client.account.get())).toMatchObject({ name: "AuthenticationError" });
    expect(gateway.seen).toHaveLength(2);
  });

  test("without a better one, the refusal is told at once", async () => {
    const { client, gateway } = await startTestClient([refusal(401, "UNAUTHENTICATED")], { accessToken: "old" });
    expect(await failureOf(client.account.get())).toMatchObject({ name: "AuthenticationError" });
    expect(gateway.seen).toHaveLength(1);
  });

  test("that could not be a header is not quoted in the error", async () => {
    const { client, gateway } = await startTestClient([data({})], { accessToken: "secret\r\nX-Admin: 1" });
    const error = await failureOf(client.account.get());
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain("secret");
    expect(gateway.seen).toEqual([]);
  });
});
