import { noPorts } from "@gateway/ports";
import { useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { codeOf, dataOf, invalid, refused } from "./support/answers.ts";
import { createCustodyClient, ethereumAddress, transactionHash } from "./support/custody-client.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const issuer = useIssuer();
const gateway = useGateway({ issuer });
const client = useEach(() => createCustodyClient(gateway, issuer));

const funded = 10_000_000_000;
const amount = 5_000_000;
const fee = 500_000;
const total = amount + fee;

const expectField = async (change: object, field: string): Promise<void> =>
  expect(await client.send(change)).toMatchObject(invalid(field));
const balance = (available: number, held: number) => ({ available, pending: 0, held });

describe("a transfer is refused, with nothing written", () => {
  const expectNothing = async (): Promise<void> => {
    expect(dataOf(await client.call("GET", "/transfers"))).toEqual([]);
    expect(await client.balanceOf()).toEqual(balance(funded, 0));
  };

  test.each([
    ["BTC", 10_000, "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"],
    ["ETH", 1_000_000, ethereumAddress],
    ["USDC", 1_000_000, ethereumAddress],
  ] as const)("%s below %d, the least of its network", async (currency, minimum, destinationAddress) => {
    const walletId = await client.createWallet(currency, 100_000_000);
    await expectField({ walletId, amount: minimum - 1, destinationAddress }, "amount");
    expect(await client.balanceOf(walletId)).toEqual(balance(100_000_000, 0));
    expect(await client.sent({ walletId, amount: minimum, destinationAddress })).toMatchObject({ amount: minimum });
  });

  test("what no wallet has: an amount whose fee is missing, and 2^53 - 1", async () => {
    const walletId = await client.createWallet("USDC", total - 1);
    expect(codeOf(await client.send({ walletId }))).toBe("INSUFFICIENT_FUNDS");
    expect(codeOf(await client.send({ walletId, amount: amount - 1 }))).toBeUndefined();
    await client.signIn();
    expect(codeOf(await client.send({ amount: Number.MAX_SAFE_INTEGER }))).toBe("INSUFFICIENT_FUNDS");
    expect(codeOf(await client.send({ amount: Number.MAX_SAFE_INTEGER - fee }))).toBe("INSUFFICIENT_FUNDS");
    expect(await client.balanceOf()).toEqual(balance(funded, 0));
  });

  test("a wallet of another account, one of nobody and one at a bank: 400 on walletId", async () => {
    const { walletId: foreign } = await createCustodyClient(gateway, issuer);
    for (const walletId of [foreign, "wal_01kjpx7nkpf1qb30s1qgt1r7tq", await client.createWallet("EUR", 10_000_000)]) {
      await expectField({ walletId }, "walletId");
    }
    await expectNothing();
  });

  test("a wallet that is frozen or closed: WALLET_NOT_ACTIVE", async () => {
    const closed = await client.createWallet("USDC", 0);
    await client.call("POST", `/wallets/${closed}/close`);
    await client.call("POST", `/wallets/${client.walletId}/freeze`);
    const answers = [await client.send({ walletId: closed }), await client.send()];
    expect(answers.map(codeOf)).toEqual(["WALLET_NOT_ACTIVE", "WALLET_NOT_ACTIVE"]);
    await expectNothing();
  });

  test("without a network: 503, and what is there can be read", async () => {
    const made = await client.sent();
    const silent = await startTestGateway({ databaseUrl: gateway.databaseUrl, createPorts: () => noPorts });
    const body = { walletId: client.walletId, amount, destinationAddress: ethereumAddress };
    const ask = { target: "/api/v1/transfers", key: client.key };
    expect(await silent.call({ ...ask, method: "POST", body })).toMatchObject(refused("UNAVAILABLE"));
    expect(dataOf(await silent.call(ask))).toEqual([made]);
    await silent.stop();
    expect(await client.balanceOf()).toEqual(balance(funded - total, total));
  });
});

describe("the address that a transfer goes to", () => {
  const bech32 = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
  const checksummed = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
  test.each([
    ["BTC", bech32.toUpperCase(), bech32],
    ["ETH", checksummed, checksummed.toLowerCase()],
    ["USDC", checksummed, checksummed.toLowerCase()],
  ] as const)("%s: %s is kept as %s", async (currency, destinationAddress, kept) => {
    const walletId = await client.createWallet(currency, 100_000_000);
    const made = await client.sent({ walletId, amount: 1_000_000, destinationAddress });
    expect(made).toMatchObject({ destinationAddress: kept });
  });

  test.each([
    ["BTC", ethereumAddress],
    ["BTC", bech32.replace(/q$/, "p")],
    ["ETH", bech32],
    ["ETH", checksummed.replace(/d$/, "D")],
    ["USDC", ""],
  ] as const)("%s: %s is 400 on its field", async (currency, destinationAddress) => {
    const walletId = await client.createWallet(currency, 100_000_000);
    await expectField({ walletId, amount: 1_000_000, destinationAddress }, "destinationAddress");
    expect(await client.balanceOf(walletId)).toEqual(balance(100_000_000, 0));
  });

  test("may be one of the account's own: it goes out and comes in, and only the fee is gone", async () => {
    const other = await client.createWallet("USDC", 0);
    const { address } = await client.ask<{ address: string }>("POST", "/deposit-addresses", { walletId: other });
    const made = await client.sent({ destinationAddress: address });
    await client.submit(made.id);
    const confirmed = { type: "confirmed", transactionHash, amountMinor: amount, confirmations: 12 } as const;
    await client.tell({ ...confirmed, transferId: made.id });
    const seen = { ...confirmed, network: "ethereum", outputIndex: 0, address, currency: "USDC", sequence: 1 };
    const told = await gateway.platform.inAccount(client.account.id, ({ work }) =>
      work.inbox.receive({ port: "chain", factId: "in", accountId: client.account.id, fact: seen }),
    );
    expect(told).toBe("applied");
    expect(await client.balanceOf()).toEqual(balance(funded - total, 0));
    expect(await client.balanceOf(other)).toEqual(balance(amount, 0));
  });
});
