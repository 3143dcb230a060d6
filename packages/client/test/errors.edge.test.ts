import { describe, expect, test } from "vitest";
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  createClient,
  GatewayError,
  isGatewayError,
  type KnownErrorCode,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  ValidationError,
} from "../src/index.ts";
import { answer, cut, hang, meta, refusal } from "./support/fake-gateway.ts";
import { apiKey, failureOf, startTestClient } from "./support/test-client.ts";

const once = { maxRetries: 0 };

describe("each kind of failure has its class", () => {
  test.each([
    [400, "INVALID_REQUEST", ValidationError],
    [401, "UNAUTHENTICATED", AuthenticationError],
    [403, "FORBIDDEN", PermissionError],
    [404, "NOT_FOUND", NotFoundError],
    [409, "IDEMPOTENCY_KEY_REUSED", ConflictError],
    [413, "PAYLOAD_TOO_LARGE", GatewayError],
    [429, "RATE_LIMITED", RateLimitError],
    [500, "INTERNAL_ERROR", ServerError],
    [503, "UNAVAILABLE", ServerError],
    [418, "A_CODE_OF_LATER", GatewayError],
  ] as const)("%i %s", async (status, code, ErrorClass) => {
    const { client } = await startTestClient([refusal(status, code)], once);
    const error = await failureOf(client.wallets.get("wal_1"));
    expect(error).toBeInstanceOf(ErrorClass);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ name: ErrorClass === GatewayError ? "GatewayError" : ErrorClass.name, status, code });
    // A code of later is none that a caller may ask for by this; it is an error all the same.
    expect(isGatewayError(error, code as KnownErrorCode)).toBe(true);
    expect(isGatewayError(error, "PERSON_EXISTS")).toBe(false);
  });

  test("no connection, and no answer in time", async () => {
    const refused = await startTestClient([cut], once);
    const error = await failureOf(refused.client.account.get());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      status: null,
      code: "CONNECTION_FAILED",
      requestId: null,
      cause: expect.any(TypeError),
    });
    const silent = await startTestClient([hang], { ...once, tryTimeoutMs: 50 });
    expect(await failureOf(silent.client.account.get())).toBeInstanceOf(TimeoutError);
  });
});

test("an error says which call, what is wrong, and which request to ask about; and holds no secret and no query", async () => {
  const headers = { "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "12", "X-RateLimit-Reset": "1773056880" };
  const details = [{ field: "cursor", issue: "must come from meta.nextCursor" }];
  const { client } = await startTestClient([refusal(400, "INVALID_REQUEST", headers, details)]);
  const error = await failureOf(client.deliveries.list({ cursor: "hidden" }).page());
  expect(error).toMatchObject({
    message: `GET /api/v1/deliveries: 400 INVALID_REQUEST. It was refused. (${meta.requestId})`,
    details,
    requestId: meta.requestId,
    rateLimit: { limit: 60, remaining: 12, resetsAt: new Date(1_773_056_880_000) },
    tries: 1,
  });
  const text = JSON.stringify(error, Object.getOwnPropertyNames(error));
  expect(text).not.toContain(apiKey);
  expect(text).not.toContain("hidden");
});

test("an error links the page of its code, where the deployment has one", async () => {
  const docsUrl = "https://docs.example/errors/NOT_FOUND";
  const error = { code: "NOT_FOUND", message: "No.", docsUrl };
  const { client } = await startTestClient([(res) => answer(res, 404, { error, meta })]);
  expect(await failureOf(client.wallets.get("wal_1"))).toMatchObject({ docsUrl });
  const { client: without } = await startTestClient([refusal(404, "NOT_FOUND")]);
  expect(await failureOf(without.wallets.get("wal_1"))).toMatchObject({ docsUrl: null });
});

describe("an error without an answer names the host and the cause", () => {
  test("of one address that refuses", async () => {
    const { client, gateway } = await startTestClient([], once);
    await gateway.stop();
    const { host } = new URL(gateway.url);
    expect(await failureOf(client.account.get())).toMatchObject({
      message: `GET /api/v1/account: the connection to ${host} failed: connect ECONNREFUSED ${host}.`,
    });
  });

  test.each([
    [
      "of several addresses that refuse",
      Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }),
      "ECONNREFUSED",
    ],
    ["of a name that nobody has", new Error("getaddrinfo ENOTFOUND a.invalid"), "getaddrinfo ENOTFOUND a.invalid"],
    ["of a browser, which tells no more", undefined, "fetch failed"],
  ])("%s", async (_name, cause, reason) => {
    const fetch = (): Promise<Response> => Promise.reject(new TypeError("fetch failed", { cause }));
    const client = createClient({ apiKey, baseUrl: "https://a.invalid:8443", fetch, ...once });
    const error = await failureOf(client.account.get());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({
      message: `GET /api/v1/account: the connection to a.invalid:8443 failed: ${reason}.`,
    });
  });

  test("when the connection breaks off, and when nothing comes in time", async () => {
    const { client, gateway } = await startTestClient([cut, hang], { ...once, tryTimeoutMs: 50 });
    const { host } = new URL(gateway.url);
    expect(String(await failureOf(client.account.get()))).toMatch(
      `the connection to ${host} failed: other side closed.`,
    );
    expect(String(await failureOf(client.account.get()))).toMatch(`no response from ${host} within 50 ms.`);
  });
});

test("an answer that is not the gateway's gets a code of its status, and none of its text", async () => {
  const { client } = await startTestClient(
    [(res) => answer(res, 502, "<html>secret page</html>", { "Content-Type": "text/html" })],
    once,
  );
  const error = await failureOf(client.account.get());
  expect(error).toBeInstanceOf(ServerError);
  expect(error).toMatchObject({ code: "HTTP_502", requestId: null, details: [] });
  expect(String(error)).toBe("ServerError: GET /api/v1/account: 502 HTTP_502. The response is not the gateway's.");
});

test.each(['{"error":null}', '{"error":"text"}', "null", "[]", "5", ""])(
  "a refusal with the body %j is an error all the same",
  async (body) => {
    const { client } = await startTestClient([(res) => answer(res, 400, body)]);
    expect(await failureOf(client.account.get())).toMatchObject({ name: "ValidationError", code: "HTTP_400" });
  },
);

test("what is no failure of a call is no GatewayError", () => {
  expect(isGatewayError(new Error("another"))).toBe(false);
  expect(isGatewayError(undefined)).toBe(false);
});
