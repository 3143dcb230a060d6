import { beforeAll, describe, expect, test } from "vitest";
import { refused } from "./support/answers.ts";
import { expectHeard } from "./support/expect-heard.ts";
import type { Answer } from "./support/http-client.ts";
import { limitHeadersOf } from "./support/limit-headers.ts";
import { bearer, createTestGrant, mintToken, type TestGrant } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const target = "/api/v1/wallets";
/** Origin of the redirect URI that a test grant's application has. */
const origin = "https://app.example.com";

let grant: TestGrant;
let key: string;
let token: string;

const issuer = useIssuer();
const gateway = useGateway({ issuer, env: { TRUSTED_PROXIES: "127.0.0.1" } });
beforeAll(async () => {
  const account = await gateway.createAccount();
  grant = await createTestGrant(gateway, account);
  key = (await gateway.createKey(account, "admin")).secret;
  token = await mintToken(issuer, grant);
});

let clients = 0;
/** Each preflight has its own address, so that no test uses up another's limit. */
const preflight = (from: string, headers: Record<string, string> = {}): Promise<Answer> => {
  clients += 1;
  return gateway.call({
    method: "OPTIONS",
    target,
    headers: {
      Origin: from,
      "Access-Control-Request-Method": "GET",
      "X-Forwarded-For": `10.0.${clients >> 8}.${clients & 255}`,
      ...headers,
    },
  });
};
const learned = (from: string): Promise<void> => expectHeard(async () => (await preflight(from)).status === 204);

describe("a preflight", () => {
  test("from a registered origin is answered with what a page may send", async () => {
    await learned(origin);
    const { status, headers, text } = await preflight(origin);
    expect({ status, text }).toEqual({ status: 204, text: "" });
    expect(headers).toMatchObject({
      "access-control-allow-origin": origin,
      "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
      "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, X-API-Key",
      "access-control-max-age": "600",
      vary: "Origin",
    });
    expect(headers).not.toHaveProperty("access-control-allow-credentials");
    expect(headers).not.toHaveProperty("content-type");
  });

  test.each([
    "https://evil.example",
    "null",
    "*",
    "",
    "https://app.example.com:8443",
    "http://app.example.com",
    "https://app.example.com/",
    "https://app.example.com.evil.example",
    "https://APP.example.com",
    "https://app.example.com https://evil.example",
    `https://${"a".repeat(4000)}.example`,
  ])("from %s is refused, and no header allows it anything", async (from) => {
    const answer = await preflight(from);
    expect(answer).toMatchObject(refused("FORBIDDEN"));
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  test("costs no query, and has 300 a minute of its own for each address", async () => {
    const from = { "X-Forwarded-For": "192.0.2.77" };
    const answers: Answer[] = [];
    for (let count = 0; count < 301; count += 1) {
      answers.push(await preflight(origin, from));
    }
    expect(answers.slice(0, 300).every(({ status }) => status === 204)).toBe(true);
    expect(limitHeadersOf(answers[299] as Answer)).toMatchObject({ limit: 300, remaining: 0 });
    expect(answers[300]).toMatchObject({
      status: 429,
      headers: { "access-control-allow-origin": origin, "retry-after": expect.any(String) },
    });
    const anonymous = await gateway.call({ target, headers: from });
    expect(limitHeadersOf(anonymous)).toMatchObject({ limit: 10, remaining: 9 });
  });

  test("without a method that it asks for is none: the path does not take OPTIONS", async () => {
    const answer = await gateway.call({ method: "OPTIONS", target, key, headers: { "X-Forwarded-For": "192.0.2.1" } });
    expect(answer).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, POST" } });
  });
});

describe("a page with an access token", () => {
  const call = (headers: Record<string, string>, at = target): Promise<Answer> =>
    gateway.call({ target: at, headers: { "X-Forwarded-For": "192.0.2.2", ...headers } });

  test("of its own application gets its answer, and may read the headers that clients read", async () => {
    const { status, headers } = await call({ Origin: origin, ...bearer(token) });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ "access-control-allow-origin": origin, vary: "Origin" });
    expect(headers["access-control-expose-headers"]?.split(", ").toSorted()).toEqual([
      ...["Allow", "Idempotency-Replayed", "Retry-After", "WWW-Authenticate"],
      ...["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"],
    ]);
  });

  test("of another application is refused, and may read why", async () => {
    const other = await gateway.platform.transaction(({ accounts }) =>
      accounts.oauthApplications.create({
        accountId: grant.accountId,
        name: "Other",
        redirectUris: ["https://other.example/cb"],
        scopes: ["read"],
      }),
    );
    await learned("https://other.example");
    const answer = await call({ Origin: "https://other.example", ...bearer(token) });
    expect(other.redirectUris).toHaveLength(1);
    expect(answer).toMatchObject({
      status: 403,
      headers: { "access-control-allow-origin": "https://other.example" },
      json: { error: { code: "FORBIDDEN", message: expect.stringContaining("redirect URI") } },
    });
  });

  test.each(["https://evil.example", "null"])("at %s is refused, and may read nothing", async (from) => {
    const answer = await call({ Origin: from, ...bearer(token) });
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("that calls without an origin, from a server, is let in", async () => {
    expect((await call(bearer(token))).status).toBe(200);
  });

  test("may read every refusal", async () => {
    const cases: [number, Record<string, string>, string?][] = [
      [401, {}],
      [401, { Authorization: "Bearer nonsense" }],
      [404, bearer(token), "/api/v1/nothing"],
      [400, bearer(token), `${target}?nothing=1`],
    ];
    for (const [status, headers, at] of cases) {
      const answer = await call({ Origin: origin, ...headers }, at);
      expect(answer).toMatchObject({ status, headers: { "access-control-allow-origin": origin } });
    }
  });
});

test("a page that carries a key is told not to, and may read it", async () => {
  const answer = await gateway.call({ target, key, headers: { Origin: origin } });
  expect(answer).toMatchObject({
    status: 403,
    headers: { "access-control-allow-origin": origin },
    json: { error: { code: "FORBIDDEN", message: expect.stringMatching(/key.*page/i) } },
  });
});

describe("what is registered while the gateway runs", () => {
  test("is learned, and a token no longer serves an origin that was taken back", async () => {
    const account = await gateway.createAccount();
    const own = await createTestGrant(gateway, account);
    const ownToken = await mintToken(issuer, own);
    const update = (redirectUris: string[]): Promise<unknown> =>
      gateway.platform.transaction(({ accounts }) =>
        accounts.oauthApplications.update({ id: own.applicationId, accountId: own.accountId, redirectUris }),
      );
    const callFrom = async (from: string): Promise<number> =>
      (await gateway.call({ target, headers: { Origin: from, ...bearer(ownToken) } })).status;
    expect(await callFrom("https://later.example")).toBe(403);
    await update(["https://later.example/cb", "https://app.example.com/"]);
    await expectHeard(async () => (await callFrom("https://later.example")) === 200);
    await learned("https://later.example");
    await update(["https://app.example.com/"]);
    await expectHeard(async () => (await callFrom("https://later.example")) === 403);
  });
});
