import { operations, type OperationPolicy } from "@gateway/contract";
import { createTypeId } from "@gateway/kernel";
import { describe, expect, test } from "vitest";
import { createFindOperation } from "../src/pipeline/find-operation.ts";

const policies = Object.values<OperationPolicy>(operations);
const find = createFindOperation(policies);

describe.each(policies)("$operationId", ({ operationId, method, path }) => {
  test("is found by its method and its path, whatever stands for its parameters", () => {
    for (const parameter of [createTypeId("wal"), "x", "%2e", "{id}"]) {
      const asked = { method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, parameter) };
      expect(find(asked)?.operationId).toBe(operationId);
    }
  });
});

test.each([
  ["HEAD", "/api/v1/wallets", "listWallets"],
  ["PURGE", "/api/v1/wallets", undefined],
  ["get", "/api/v1/wallets", undefined],
  ["GET", "/api/v1/wallets/", undefined],
  ["GET", "/api/v1/Wallets", undefined],
  ["GET", "/api/v1/walets", undefined],
  ["GET", "/", undefined],
  ["GET", "*", undefined],
])("%s %s is %s", (method, path, operationId) => {
  expect(find({ method, path })?.operationId).toBe(operationId);
});
