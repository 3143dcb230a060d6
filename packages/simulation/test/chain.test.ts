import type { PlannedFact } from "@gateway/ports";
import { expect, test } from "vitest";
import { createSimulatedChain } from "../src/chain.ts";

const planned: PlannedFact[] = [];
const chain = createSimulatedChain(async ({ facts }) => {
  planned.push(...facts);
});
const ask = { accountId: "acc_1", walletId: "wal_1", addressId: "adr_1" };

test("an address looks like its network's, and is the same for the same id alone", async () => {
  const bitcoin = { ...ask, network: "bitcoin", currency: "BTC" } as const;
  const ethereum = { ...ask, network: "ethereum", currency: "ETH" } as const;
  const { address } = await chain.createAddress(bitcoin);
  expect(address).toMatch(/^tb1q[qpzry9x8gf2tvdw0s3jn54khce6mua7l]{38}$/);
  expect(await chain.createAddress(bitcoin)).toEqual({ address });
  expect(await chain.createAddress({ ...bitcoin, addressId: "adr_2" })).not.toEqual({ address });
  expect((await chain.createAddress(ethereum)).address).toMatch(/^0x[0-9a-f]{40}$/);
});

const order = { accountId: "acc_1", transferId: "trf_1", amountMinor: 5, feeMinor: 1 } as const;
const threeBlocks = 3 * 600_000;

test.each([
  [
    "bitcoin",
    "tb1qordinary",
    [
      ["submitted", 0],
      ["confirmed", threeBlocks],
    ],
  ],
  [
    "ethereum",
    "0xordinary",
    [
      ["submitted", 0],
      ["confirmed", 144_000],
    ],
  ],
  ["bitcoin", "tb1qdead", [["refused", 0]]],
  [
    "ethereum",
    "0xbeef",
    [
      ["submitted", 0],
      ["dropped", 144_000],
    ],
  ],
] as const)("what is sent over %s to %s is told of so", async (network, address, expected) => {
  planned.length = 0;
  const { transactionHash } = await chain.submit({ ...order, network, address });
  expect(await chain.submit({ ...order, network, address })).toEqual({ transactionHash });
  const once = planned.slice(0, expected.length);
  expect(once.map(({ fact, afterMs }) => [fact.type, afterMs])).toEqual(expected);
  // The names are equal, so a transfer that is planned twice is reported once.
  expect(planned.slice(expected.length).map(({ factId }) => factId)).toEqual(once.map(({ factId }) => factId));
});
