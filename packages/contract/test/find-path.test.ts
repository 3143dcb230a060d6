import { describe, expect, test } from "vitest";
import { createFindPath, operations, type OperationPolicy } from "../src/index.ts";

const policies = Object.values<OperationPolicy>(operations);
const find = createFindPath(policies);

describe.each(policies)("$operationId", ({ operationId, method, path }) => {
  test("is found by its path and its method, whatever is in the place of its parameters", () => {
    for (const value of ["wal_01h455vb4pex5vsknk084sn02q", "x", "%2e", "{id}"]) {
      const found = find(path.replaceAll(/\{\w+\}/g, value));
      expect(found?.path).toBe(path);
      expect(found?.operations.get(method.toUpperCase())?.operationId).toBe(operationId);
    }
  });
});

test.each(["/api/v1/wallets/", "/api/v1/wallets//close", "/api/v1/Wallets", "/api/v1/walets", "/", "*", ""])(
  "%s fits no path",
  (path) => expect(find(path)).toBeNull(),
);

test("only what isValue takes is in the place of a parameter", () => {
  const findNumbered = createFindPath(policies, (segment) => /^\d+$/.test(segment));
  expect(findNumbered("/api/v1/wallets/7")?.path).toBe("/api/v1/wallets/{walletId}");
  expect(findNumbered("/api/v1/wallets/x")).toBeNull();
});
