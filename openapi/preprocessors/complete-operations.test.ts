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
const limits = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

const success = { description: "It." };
const path = { name: "potId", in: "path", required: true, schema: { type: "string" } };
const cursor = { name: "cursor", in: "query", schema: { type: "string" } };
const requestBody = { content: { "application/json": { schema: {} } } };

type Operation = {
  security: Record<string, string[]>[];
  parameters?: ({ name: string } | { $ref: string })[];
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
    ["what takes nothing", "/shelf", "get", ["400 InvalidRequest", ...always]],
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
