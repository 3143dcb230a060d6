import { noPorts } from "@gateway/ports";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  codeOf,
  createCustodyClient,
  ethereumAddress,
  transactionHash,
  type CustodyClient,
} from "./support/custody-client.ts";
import { dataOf } from "./support/people-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { startTestIssuer, type TestIssuer } from "./support/test-issuer.ts";

let issuer: TestIssuer;
let gateway: TestGateway;
let client: CustodyClient;

beforeAll(async () => {
  issuer = await startTestIssuer();
  gateway = await startTestGateway({ issuer });
});
afterAll(async () => {
  await gateway.stop();
  await issuer.stop();
});
beforeEach(async () => {
  client = await createCustodyClient(gateway, issuer);
});

const funded = 10_000_000_000;
const amount = 5_000_000;
const fee = 500_000;
const total = amount + fee;

const balance = (available: number, held: number) => ({ available, pending: 0, held });

describe("a transfer is refused, with nothing written", () => {
  const expectField = async (change: object, field: string): Promise<void> => {
    const answer = await client.send(change);
    expect(answer, answer.text).toMatchObject({ status: 400, json: { error: { details: [{ field }] } } });
  };
  const expectNothing = async (): Promise<void> => {
    expect(dataOf(await client.call("GET", "/transfers"))).toEqual([]);
    expect(await client.balanceOf()).toEqual(balance(funded, 0));
  };

  test.each([0, -1, 1.5, 2 ** 53, "5000000", null])("an amount of %j, on its field", async (wrong) => {
    await expectField({ amount: wrong }, "amount");
    await expectNothing();
  });

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
    const silent = await startTestGateway({
      databaseUrl: gateway.databaseUrl,
      createPorts: () => noPorts,
    });
    const body = { walletId: client.walletId, amount, destinationAddress: ethereumAddress };
    const ask = { target: "/api/v1/transfers", key: client.key };
    expect(await silent.call({ ...ask, method: "POST", body })).toMatchObject({
      status: 503,
      json: { error: { code: "UNAVAILABLE" } },
    });
    expect(dataOf(await silent.call(ask))).toEqual([made]);
    await silent.stop();
    expect(await client.balanceOf()).toEqual(balance(funded - total, total));
  });
});

describe("the address that a transfer goes to", () => {
  const bitcoin = [
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
    "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx",
  ];
  test.each([
    ...bitcoin.map((address) => ["BTC", address, address] as const),
    ["BTC", bitcoin[2]?.toUpperCase() ?? "", bitcoin[2]] as const,
    ...(["ETH", "USDC"] as const).map(
      (currency) =>
        [currency, "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"] as const,
    ),
  ])("%s: %s is kept as %s", async (currency, destinationAddress, kept) => {
    const walletId = await client.createWallet(currency, 100_000_000);
    expect(await client.sent({ walletId, amount: 1_000_000, destinationAddress })).toMatchObject({
      destinationAddress: kept,
    });
  });

  test.each([
    ["BTC", ethereumAddress],
    ["BTC", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0"],
    ["BTC", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdb"],
    ["BTC", "bc1qAR0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"],
    ["BTC", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp"],
    ["ETH", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD"],
    ["BTC", "lt1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"],
    ["BTC", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa "],
    ["ETH", bitcoin[0]],
    ["ETH", ethereumAddress.slice(0, -1)],
    ["ETH", `${ethereumAddress}0`],
    ["ETH", ethereumAddress.slice(2)],
    ["ETH", ethereumAddress.replace(/.$/, "g")],
    ["USDC", ethereumAddress.replace(/.$/, "\u0430")],
    ["USDC", ""],
  ] as const)("%s: %s is 400 on its field", async (currency, destinationAddress) => {
    const walletId = await client.createWallet(currency, 100_000_000);
    const answer = await client.send({ walletId, amount: 1_000_000, destinationAddress });
    expect(answer).toMatchObject({ status: 400, json: { error: { details: [{ field: "destinationAddress" }] } } });
    expect(await client.balanceOf(walletId)).toEqual(balance(100_000_000, 0));
  });

  test("may be one of the account's own: it goes out and comes in, and only the fee is gone", async () => {
    const other = await client.createWallet("USDC", 0);
    const { address } = dataOf<{ address: string }>(
      await client.call("POST", "/deposit-addresses", { walletId: other }),
      201,
    );
    const made = await client.sent({ destinationAddress: address });
    await client.submit(made.id);
    await client.tell({
      type: "confirmed",
      transferId: made.id,
      transactionHash,
      amountMinor: amount,
      confirmations: 12,
    });
    const deposit = { network: "ethereum", transactionHash, outputIndex: 0, address, currency: "USDC" };
    const seen = { ...deposit, type: "confirmed", amountMinor: amount, confirmations: 12, sequence: 1 };
    const told = await gateway.platform.inAccount(client.account.id, ({ work }) =>
      work.inbox.receive({ port: "chain", factId: "in", accountId: client.account.id, fact: seen }),
    );
    expect(told).toBe("applied");
    expect(await client.balanceOf()).toEqual(balance(funded - total, 0));
    expect(await client.balanceOf(other)).toEqual(balance(amount, 0));
  });
});
