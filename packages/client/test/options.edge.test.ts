import { operations, services as documented, type OperationPolicy } from "@gateway/contract";
import { describe, expect, expectTypeOf, test } from "vitest";
import { createClient, type Client, type ClientOptions, type Service, type ServiceUrls } from "../src/index.ts";
import { data, refusal } from "./support/fake-gateway.ts";
import { apiKey, failureOf, startTestClient } from "./support/test-client.ts";

const liveKey = apiKey.replace("test", "live");

describe("a mistake in the options is told when the client is made, without the secret", () => {
  test.each<[name: string, options: object, message: RegExp]>([
    ["no credential", { environment: "sandbox" }, /takes one of apiKey, accessToken, oauth and session, not 0/],
    ["a session and a key", { apiKey, session: "cookie", environment: "sandbox" }, /not 2/],
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
    [
      "a service that the document does not know",
      { apiKey, environment: "sandbox", services: { custdy: "https://a.example" } },
      /knows no service custdy, but custody, orchestra,/,
    ],
    [
      "a name of every object in the place of a service",
      { apiKey, environment: "sandbox", services: { toString: "https://a.example" } },
      /knows no service toString/,
    ],
    [
      "a service's address without a scheme",
      { apiKey, environment: "sandbox", services: { custody: "custody.example.com" } },
      /needs an address of custody such as https:/,
    ],
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

describe("with direct addresses of services", () => {
  const gateway = "https://sandbox.api.gateway.example/api/v1";
  const calledUrls = async (services: ServiceUrls, call: (client: Client) => Promise<unknown>): Promise<string[]> => {
    const urls: string[] = [];
    const answer = { data: [], meta: { hasMore: false, nextCursor: null } };
    const fetch = async (url: string): Promise<Response> => {
      urls.push(url);
      return Response.json(answer);
    };
    await call(createClient({ apiKey, environment: "sandbox", services, fetch }));
    return urls;
  };
  const services = { custody: "https://custody.example", ledger: "https://proxy.example/ledger/", identity: undefined };

  test.each<[string, (client: Client) => Promise<unknown>, string]>([
    ["an operation of it", (client) => client.networks.list().page(), "https://custody.example/api/v1/networks"],
    ["one with an id", (client) => client.transfers.get("ctr_1"), "https://custody.example/api/v1/transfers/ctr_1"],
    ["one by path", (client) => client.GET("/api/v1/wallets"), "https://proxy.example/ledger/api/v1/wallets"],
    [
      "one of the sandbox",
      (client) => client.sandbox.wallets.fund("wal_1", { amount: 1 }),
      "https://proxy.example/ledger/api/v1/sandbox/wallets/wal_1/fund",
    ],
    ["a service without one", (client) => client.payments.list().page(), `${gateway}/payments`],
    [
      "a service whose is undefined",
      (client) => client.kycVerifications.get("kyc_1"),
      `${gateway}/kyc-verifications/kyc_1`,
    ],
    ["what is the gateway's own", (client) => client.account.get(), `${gateway}/account`],
    ["the sandbox's own of the gateway", (client) => client.sandbox.clock.get(), `${gateway}/sandbox/clock`],
  ])("%s is asked at the right one", async (_what, call, url) => {
    expect(await calledUrls(services, call)).toEqual([url]);
  });

  test("every operation of the document is asked at the one of its service", async () => {
    const urls = mapToUrl(documented);
    for (const { path, service } of Object.values<OperationPolicy>(operations)) {
      const isDirect = documented.some((one) => one === service);
      const [called] = await calledUrls(urls, (client) => client.GET(path as "/api/v1/account"));
      expect(new URL(called ?? "").host, path).toBe(isDirect ? `${service}.example` : new URL(gateway).host);
    }
  });

  test("the names are those of the document, for the compiler too", () => {
    const all: Record<Service, string> = mapToUrl(documented);
    expect(Object.keys(all)).toEqual([...documented]);
    expectTypeOf<Service>().toEqualTypeOf<(typeof documented)[number]>();
    expect(() => createClient({ apiKey, environment: "sandbox", services: all })).not.toThrow();
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

function mapToUrl<Name extends string>(names: readonly Name[]): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, `https://${name}.example`])) as Record<Name, string>;
}
