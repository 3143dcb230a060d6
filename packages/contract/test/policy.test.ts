import { expect, test } from "vitest";
import type { OpenAPI3 } from "openapi-typescript";
import { readPolicies } from "../scripts/read-policies.ts";
import document from "../src/generated/openapi.json" with { type: "json" };
import { operations, type OperationPolicy } from "../src/index.ts";

const policies: OperationPolicy[] = Object.values(operations);

/**
 * The codes that operations name themselves. All others follow from properties of an operation that its line shows
 * already.
 */
const ownCodes = new Set(
  Object.entries(document.components.schemas.ErrorCode["x-codes"]).flatMap(([code, line]) =>
    "example" in line ? [code] : [],
  ),
);

test("every change of an operation's policy shows in policy.txt, one line for each operation", async () => {
  await expect(`${policies.map(row).join("\n")}\n`).toMatchFileSnapshot("policy.txt");
});

test("every operation is in the table under its own name", () => {
  expect(Object.keys(operations)).toEqual(policies.map(({ operationId }) => operationId));
});

test("every POST, and nothing else, takes an idempotency key", () => {
  const wrong = policies.filter(({ idempotencyKey, method }) => idempotencyKey !== (method === "post"));
  expect(wrong).toEqual([]);
});

test("no change is open to a read credential", () => {
  const wrong = policies.filter(({ method, permission }) => method !== "get" && permission === "read");
  expect(wrong).toEqual([]);
});

test("API keys, OAuth applications and people are for admin credentials only", () => {
  const areForAdmins = /\/(?:api-keys|oauth-applications|people)\b/;
  const wrong = policies.filter(({ path, permission }) => areForAdmins.test(path) && permission !== "admin");
  expect(wrong).toEqual([]);
});

test("what is for people alone, and how fresh their sign-in must be, is in the policy and in its line", () => {
  const security = [{ apiKey: ["admin"] }];
  const responses = { "200": { description: "It." } };
  const description = {
    openapi: "3.1.1",
    info: { title: "Pots", version: "1.0.0" },
    paths: {
      "/pots": {
        "x-service": "ledger",
        get: { operationId: "listPots", security, responses },
        put: { operationId: "replacePots", security, responses, "x-person": "required" },
        patch: { operationId: "movePots", security, responses, "x-person": "required", "x-fresh-sign-in": 300 },
      },
    },
  };
  // The library's type requires descriptions of an operation's parts, which these lack.
  expect(readPolicies(description as unknown as OpenAPI3).map(row)).toEqual([
    "GET /pots listPots ledger admin",
    "PUT /pots replacePots ledger admin person",
    "PATCH /pots movePots ledger admin person fresh-sign-in:300",
  ]);
});

/** Has no padding and no columns for absent properties, so a new operation adds a line and changes no other line. */
function row(policy: OperationPolicy): string {
  return [
    policy.method.toUpperCase(),
    policy.path,
    policy.operationId,
    policy.service,
    policy.permission,
    ...(policy.sandboxOnly ? ["sandbox-only"] : []),
    ...(policy.idempotencyKey ? ["idempotency-key"] : []),
    ...(policy.limitStoreRequired ? ["limit-store"] : []),
    ...(policy.personRequired ? ["person"] : []),
    ...(policy.freshSignInSeconds === null ? [] : [`fresh-sign-in:${policy.freshSignInSeconds}`]),
    ...policy.emits.map((type) => `emits:${type}`),
    ...policy.problems.filter((code) => ownCodes.has(code)).map((code) => `refuses:${code}`),
  ].join(" ");
}
