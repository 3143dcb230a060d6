import { expect, test } from "vitest";
import type { Change } from "../src/compare/change.ts";
import { groupChanges } from "../src/group-changes.ts";

const changeIn = (name: string): Change => ({
  rule: "response-field-removed",
  anchor: "Wallet.name",
  before: "string",
  place: { document: "openapi.yaml", kind: "operation", name, address: "", at: "response 200, body.name" },
});
const idsOf = (...names: string[]): string[] => groupChanges(names.map(changeIn)).map(({ id }) => id);

test("a change that is felt in one more place has another id, so that no note of before accepts it", () => {
  const [[one = ""], [two = ""]] = [idsOf("getWallet"), idsOf("getWallet", "listWallets")];
  expect(one).toMatch(/^response-field-removed:Wallet\.name~[0-9a-f]{8}$/);
  expect(two.split("~")[0]).toBe(one.split("~")[0]);
  expect(two).not.toBe(one);
});

test("a change in the same places has the same id, in whatever order they come", () => {
  expect(idsOf("listWallets", "getWallet")).toEqual(idsOf("getWallet", "listWallets"));
  expect(idsOf("getWallet", "listWallets")).toHaveLength(1);
});
