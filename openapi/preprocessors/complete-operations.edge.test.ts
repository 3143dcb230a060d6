import { beforeAll, describe, expect, test } from "vitest";
import { runRedocly } from "../rules/testing/run-redocly.ts";

const always = [
  "401 Unauthenticated",
  "403 Forbidden",
  "429 RateLimited",
  "431 HeadersTooLarge",
  "500 InternalError",
  "503 Unavailable",
];
const ofUpstream = ["502 UpstreamFailed", "504 UpstreamTimeout"];
const limits = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

const success = { description: "It." };
const path = { name: "potId", in: "path", required: true, schema: { type: "string" } };
const cursor = { name: "cursor", in: "query", schema: { type: "string" } };
const requestBody = { content: { "application/json": { schema: {} } } };

const shown = (...codes: string[]) => ({
  "application/json": { examples: Object.fromEntries(codes.map((code) => [code, { value: { error: { code } } }])) },
});

type Operation = {
  security: Record<string, string[]>[];
  parameters?: ({ name: string } | { $ref: string })[];
  "x-problems"?: string[];
  responses: Record<string, { headers?: Record<string, unknown> } | { $ref: string }>;
};
type Description = { paths: Record<string, Record<string, Operation>>; components: Record<string, object> };

describe("what an operation with x-permission gets", () => {
  let description: Description;
  beforeAll(async () => {
    description = await bundle({
      "/pots": {
        get: { "x-permission": "read", parameters: [cursor], responses: { "200": success } },
        post: { "x-permission": "write", requestBody, responses: { "201": success } },
      },
      "/pots/{potId}": {
        parameters: [path],
        get: { "x-permission": "read", responses: { "200": success } },
        patch: { "x-permission": "write", requestBody, responses: { "200": success } },
      },
      "/pots/{potId}/fill": {
        parameters: [path],
        post: { "x-permission": "admin", responses: { "200": success } },
      },
      "/approvals": {
        post: {
          "x-permission": "admin",
          "x-person": "required",
          "x-fresh-sign-in": 300,
          responses: { "200": success },
        },
        get: { "x-permission": "read", "x-person": "required", responses: { "200": success } },
      },
      "/shelf": { get: { "x-permission": "read", responses: { "200": success } } },
      "/own": {
        get: {
          "x-permission": "read",
          security: [{ apiKey: ["admin"] }],
          responses: {
            "200": { description: "It.", headers: { "X-Request-Id": { description: "Mine." } } },
            "401": { description: "Never." },
          },
        },
      },
      "/taken": {
        post: { "x-permission": "write", "x-problems": ["LAST_OWNER", "PERSON_EXISTS"], responses: { "201": success } },
        patch: { "x-permission": "write", "x-problems": ["LAST_OWNER"], responses: { "200": success } },
        delete: {
          "x-permission": "write",
          "x-problems": ["LAST_OWNER"],
          responses: { "200": success, "409": { description: "Mine.", content: shown("LAST_OWNER", "PERSON_EXISTS") } },
        },
        get: { "x-permission": "read", "x-problems": ["NO_SUCH_CODE"], responses: { "200": success } },
      },
      "/kegs": { "x-service": "ledger", get: { "x-permission": "read", responses: { "200": success } } },
      "/taps": { "x-service": "accounts", get: { "x-permission": "read", responses: { "200": success } } },
      "/open": { get: { security: [], responses: { "200": success } } },
    });
  });

  test.each([
    ["a list", "/pots", "get", ["400 InvalidListRequest", ...always]],
    [
      "a POST with a body",
      "/pots",
      "post",
      [
        "400 InvalidBodyRequest",
        ...always,
        "409 IdempotencyConflict",
        "413 PayloadTooLarge",
        "415 UnsupportedMediaType",
      ],
    ],
    ["one thing by its id", "/pots/{potId}", "get", ["400 InvalidId", ...always, "404 NotFound"]],
    [
      "a change of one thing",
      "/pots/{potId}",
      "patch",
      ["400 InvalidBodyRequest", ...always, "404 NotFound", "413 PayloadTooLarge", "415 UnsupportedMediaType"],
    ],
    [
      "a POST at one thing without a body",
      "/pots/{potId}/fill",
      "post",
      ["400 InvalidId", ...always, "404 NotFound", "409 IdempotencyConflict"],
    ],
    [
      "what only people do",
      "/approvals",
      "get",
      ["400 InvalidRequest", ...always.with(always.indexOf("403 Forbidden"), "403 PersonRequired")],
    ],
    [
      "what only people do who have just signed in",
      "/approvals",
      "post",
      [
        "400 InvalidRequest",
        "401 FreshSignInRequired",
        "403 PersonRequired",
        ...always.slice(2),
        "409 IdempotencyConflict",
      ],
    ],
    ["what takes nothing", "/shelf", "get", ["400 InvalidRequest", ...always]],
    ["what a service of somebody else may answer", "/kegs", "get", ["400 InvalidRequest", ...always, ...ofUpstream]],
    ["what the gateway alone answers", "/taps", "get", ["400 InvalidRequest", ...always]],
  ])("%s: its refusals", (_name, at, method, expected) => {
    expect(refusalsOf(find(at, method))).toEqual(expected.toSorted());
  });

  test.each([
    ["get", limits],
    ["post", [...limits, "Idempotency-Replayed"]],
  ])("the headers of a success of %s", (method, expected) => {
    const headers = Object.values(find("/pots", method).responses).flatMap((response) =>
      Object.keys("headers" in response ? (response.headers ?? {}) : {}),
    );
    expect(headers).toEqual(expected);
  });

  test("a POST takes an idempotency key, and nothing else does", () => {
    expect(find("/pots", "post").parameters).toEqual([{ $ref: "#/components/parameters/IdempotencyKey" }]);
    expect(find("/pots", "get").parameters).toEqual([cursor]);
    expect(find("/pots/{potId}", "patch").parameters).toBeUndefined();
  });

  test("the permission is asked of each kind of credential, and x-permission is not published", () => {
    expect(find("/pots", "post").security).toEqual([
      { apiKey: ["write"] },
      { accessToken: ["write"] },
      { oauth2: ["write"] },
    ]);
    expect(JSON.stringify(description)).not.toContain("x-permission");
  });

  describe("the response of the codes that an operation has for itself", () => {
    test("is one with what it shares of that status: text, headers and examples", () => {
      expect(find("/taken", "post").responses["409"]).toEqual({
        description:
          "The account would be left without an owner who has joined; or the e-mail address belongs to a person of the account " +
          "already, who may be invited only; or the idempotency key belongs to another request, or the first request with it still runs.",
        headers: Object.fromEntries(limits.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/ErrorEnvelope" },
            examples: {
              lastOwner: exampleOf("LAST_OWNER"),
              personExists: exampleOf("PERSON_EXISTS"),
              keyReused: exampleOf("IDEMPOTENCY_KEY_REUSED"),
              inProgress: exampleOf("IDEMPOTENCY_IN_PROGRESS"),
            },
          },
        },
      });
    });

    test("stands alone where it shares none", () => {
      // The preprocessor completes this response in place, so it has content and is not a reference.
      const { content } = find("/taken", "patch").responses["409"] as { content: Record<string, { examples: object }> };
      expect(content["application/json"]?.examples).toEqual({ lastOwner: exampleOf("LAST_OWNER") });
    });

    test("stays as the operation writes it", () => {
      expect(find("/taken", "delete").responses["409"]).toMatchObject({ description: "Mine." });
    });

    function exampleOf(code: string): object {
      const value = { error: { code, message: expect.any(String) }, meta: { requestId: expect.any(String) } };
      return { summary: expect.any(String), value };
    }
  });

  test("x-problems has every code that the responses show, in the order of the registry, and keeps one that is none", () => {
    const [first, last] = [
      ["INVALID_REQUEST", "UNAUTHENTICATED", "FORBIDDEN", "ACCOUNT_SUSPENDED"],
      ["RATE_LIMITED", "HEADERS_TOO_LARGE", "INTERNAL_ERROR", "UNAVAILABLE"],
    ];
    const ofKey = ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_IN_PROGRESS"];
    expect(find("/taken", "post")["x-problems"]).toEqual([...first, ...ofKey, "LAST_OWNER", "PERSON_EXISTS", ...last]);
    expect(find("/taken", "patch")["x-problems"]).toEqual([...first, "LAST_OWNER", ...last]);
    expect(find("/taken", "delete")["x-problems"]).toEqual([...first, "LAST_OWNER", "PERSON_EXISTS", ...last]);
    expect(find("/taken", "get")["x-problems"]).toEqual(expect.arrayContaining(["NO_SUCH_CODE"]));
    expect(find("/shelf", "get")["x-problems"]).toEqual([...first, ...last]);
  });

  test("what an operation writes itself stays", () => {
    const { security, responses } = find("/own", "get");
    expect(security).toEqual([{ apiKey: ["admin"] }]);
    expect(responses["401"]).toEqual({ description: "Never." });
    expect(responses["200"]).toMatchObject({ headers: { "X-Request-Id": { description: "Mine." } } });
  });

  test("an operation without x-permission gets nothing", () => {
    expect(find("/open", "get")).toEqual({ security: [], responses: { "200": success } });
  });

  test("a description that is complete stays as it is", async () => {
    expect(await bundle(description.paths, description.components)).toEqual(description);
  });

  function find(at: string, method: string): Operation {
    const operation = description.paths[at]?.[method];
    if (!operation) {
      throw new Error(`There is no ${method} ${at}.`);
    }
    return operation;
  }
});

/** `404 NotFound`, in the order of the alphabet. */
function refusalsOf({ responses }: Operation): string[] {
  return Object.entries(responses)
    .filter(([status]) => !status.startsWith("2"))
    .map(([status, response]) => `${status} ${"$ref" in response ? response.$ref.split("/").at(-1) : ""}`)
    .toSorted();
}

async function bundle(paths: object, components: object = {}): Promise<Description> {
  const description = { openapi: "3.1.1", info: { title: "Pots", version: "1.0.0" }, paths, components };
  const stdout = await runRedocly(["bundle", "pots.json", "--ext=json"], { files: { "pots.json": description } });
  // Redocly CLI writes the description that it has read.
  return JSON.parse(stdout) as Description;
}
