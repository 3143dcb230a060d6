import { expect, test } from "vitest";
import document from "../src/generated/openapi.json" with { type: "json" };
import { operations, type OperationPolicy } from "../src/index.ts";

const policies: OperationPolicy[] = Object.values(operations);

/** The codes that operations name themselves. All others follow from what an operation takes, and a line says that already. */
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

/** Unpadded and without columns for what is not so: another operation is another line, and no other line changes. */
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
    ...policy.emits.map((type) => `emits:${type}`),
    ...policy.problems.filter((code) => ownCodes.has(code)).map((code) => `refuses:${code}`),
  ].join(" ");
}
