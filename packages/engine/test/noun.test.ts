import { expect, test } from "vitest";
import { nounOf } from "../src/noun.ts";

test("a noun has the columns of its row in camelCase, with their values, and not the account", () => {
  const row = { account_id: "acc_1", id: "pay_1", destination_wallet_id: null, metadata: { my_key: "a" }, amount: 0 };
  expect(nounOf(row)).toEqual({ id: "pay_1", destinationWalletId: null, metadata: { my_key: "a" }, amount: 0 });
});
