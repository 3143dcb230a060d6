import type { TransferFact } from "@gateway/ports";
import { useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { atOnce, countCodes, invalid } from "./support/answers.ts";
import {
  createCustodyClient,
  ethereumAddress,
  thresholdMinor,
  transactionHash,
  type TransferBody,
} from "./support/custody-client.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const issuer = useIssuer();
const gateway = useGateway({ issuer });
const client = useEach(() => createCustodyClient(gateway, issuer));

const funded = 10_000_000_000;
const amount = 5_000_000;
const fee = 500_000;
const total = amount + fee;

function factOf({ id, amount: amountMinor }: TransferBody, type: TransferFact["type"]): TransferFact {
  return type === "submitted" || type === "confirmed"
    ? { type, transferId: id, transactionHash, amountMinor, confirmations: type === "confirmed" ? 12 : 0 }
    : { type, transferId: id, transactionHash: null };
}
const balance = (available: number, held: number) => ({ available, pending: 0, held });
const changed = (from: object, to: object) => ({
  type: "wallet.balance_changed",
  object: { balanceBefore: from, balanceAfter: to },
});

describe("a transfer that needs no approval", () => {
  test("goes out: its states, times, events and postings, each with its amounts", async () => {
    const made = await client.sent({ metadata: { order: "7" } });
    expect(made).toMatchObject({
      ...{ walletId: client.walletId, amount, currency: "USDC", network: "ethereum", fee, status: "initiated" },
      ...{ approvalId: null, initiatedBy: { kind: "apiKey", id: client.keyId }, destinationAddress: ethereumAddress },
      ...{ failureCode: null, transactionHash: null, externalId: null, metadata: { order: "7" } },
      ...{ submittedAt: null, broadcastAt: null, completedAt: null },
    });
    const held = balance(funded - total, total);
    expect(await client.balanceOf()).toEqual(held);
    const events = [{ type: "custody.transfer.initiated", object: made }, changed(balance(funded, 0), held)];
    expect(await client.events(made.id)).toMatchObject(events);
    const hold = `hold: debit available ${total}, credit held ${total}`;
    expect(await client.postings(made)).toEqual([hold]);

    await client.submit(made.id);
    const submitted = await client.transfer(made.id);
    expect(submitted).toEqual({ ...made, submittedAt: expect.any(String) });
    expect(await client.tell(factOf(made, "submitted"))).toBe("applied");
    const broadcast = await client.transfer(made.id);
    expect(broadcast).toEqual({
      ...submitted,
      ...{ status: "broadcast", transactionHash, broadcastAt: expect.any(String) },
    });
    expect(await client.events(made.id)).toHaveLength(2);
    expect(await client.postings(made)).toEqual([hold]);

    expect(await client.tell(factOf(made, "confirmed"))).toBe("applied");
    const completed = await client.transfer(made.id);
    expect(completed).toEqual({ ...broadcast, status: "completed", completedAt: expect.any(String) });
    const left = balance(funded - total, 0);
    expect(await client.balanceOf()).toEqual(left);
    const ends = [{ type: "custody.transfer.completed", object: completed }, changed(held, left)];
    expect(await client.events(made.id)).toMatchObject([...events, ...ends]);
    expect(await client.postings(made)).toEqual([
      hold,
      `transfer: debit held ${total}, credit chain ${amount}, credit fees ${fee}`,
    ]);
  });
  test("is sent again after a crash as the same, and never once it has ended", async () => {
    const made = await client.sent();
    const begin = () =>
      gateway.platform.inAccount(client.account.id, ({ custody }) =>
        custody.transfers.beginSubmit({ id: made.id, accountId: client.account.id }),
      );
    const order = await begin();
    expect(order).toMatchObject({ transferId: made.id, address: ethereumAddress, amountMinor: amount, feeMinor: fee });
    const { submittedAt } = await client.transfer(made.id);
    expect(await begin()).toEqual(order);
    expect(await client.transfer(made.id)).toMatchObject({ submittedAt });
    await client.tell(factOf(made, "refused"));
    expect(await begin()).toBeNull();
    expect(await client.transfer(made.id)).toMatchObject({ status: "failed", submittedAt });
  });
});

describe("canceling", () => {
  test("20 at once while it is sent: exactly one of them, or the sending", async () => {
    for (let round = 0; round < 5; round += 1) {
      const made = await client.sent();
      const [answers] = await Promise.all([atOnce(20, () => client.cancel(made.id)), client.submit(made.id)]);
      const { status, submittedAt } = await client.transfer(made.id);
      const won = submittedAt === null ? 1 : 0;
      expect(countCodes(answers)).toEqual({ ...(won && { 200: won }), INVALID_STATE: 20 - won });
      expect(status).toBe(won ? "canceled" : "initiated");
      expect(await client.postings(made)).toHaveLength(1 + won);
      expect(await client.events(made.id)).toHaveLength(2 + won);
    }
  });
});

describe("many at once", () => {
  test("20 out of a wallet that has money for 7: 7 are made", async () => {
    const walletId = await client.createWallet("USDC", 7 * total);
    expect(countCodes(await atOnce(20, () => client.send({ walletId })))).toEqual({ 201: 7, INSUFFICIENT_FUNDS: 13 });
    expect(await client.balanceOf(walletId)).toEqual(balance(0, 7 * total));
  });

  test("20 parts of what is over the threshold: the sum decides, not the part, also over two wallets", async () => {
    await client.signIn();
    const wallets = [client.walletId, await client.createWallet()];
    const part = thresholdMinor / 10;
    const made = await atOnce(20, (index) => client.sent({ walletId: wallets[index % 2], amount: part }));
    expect(made.filter(({ approvalId }) => approvalId === null)).toHaveLength(9);
    for (const { id } of made) {
      await client.cancel(id);
    }
    expect(await client.sent({ amount: thresholdMinor - 1 }), "what came to nothing does not count").toMatchObject({
      approvalId: null,
    });
    expect((await client.sent({ amount: 1_000_000 })).approvalId).not.toBeNull();
    await client.advance(86_400);
    expect(await client.sent({ amount: thresholdMinor - 1 }), "a day later").toMatchObject({ approvalId: null });
  });
});

describe("in the sandbox", () => {
  test("of 21 who end it at once in three ways, one does", async () => {
    const made = await client.sent();
    const answers = await atOnce(21, (index) =>
      index % 3 === 0
        ? client.cancel(made.id)
        : client.simulate("transfers", made.id, index % 3 === 1 ? "completed" : "failed"),
    );
    expect(countCodes(answers)).toEqual({ 200: 1, INVALID_STATE: 20 });
    expect(await client.postings(made)).toHaveLength(2);
  });
});

describe("a transfer is refused, with nothing written", () => {
  const expectField = async (change: object, field: string): Promise<void> =>
    expect(await client.send(change)).toMatchObject(invalid(field));

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

  test("a wallet of another account, one of nobody and one at a bank: 400 on walletId", async () => {
    const { walletId: foreign } = await createCustodyClient(gateway, issuer);
    for (const walletId of [foreign, "wal_01kjpx7nkpf1qb30s1qgt1r7tq", await client.createWallet("EUR", 10_000_000)]) {
      await expectField({ walletId }, "walletId");
    }
    expect(await client.get("/transfers")).toEqual([]);
    expect(await client.balanceOf()).toEqual(balance(funded, 0));
  });

  /** address-form.test.ts of the platform has all forms. */
  test("an address of another network: 400 on its field; of its own one it is kept in small letters", async () => {
    const bech32 = "BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ";
    await expectField({ destinationAddress: bech32 }, "destinationAddress");
    const walletId = await client.createWallet("BTC", 100_000_000);
    const ask = { walletId, amount: 1_000_000 };
    await expectField({ ...ask, destinationAddress: ethereumAddress }, "destinationAddress");
    const made = await client.sent({ ...ask, destinationAddress: bech32 });
    expect(made).toMatchObject({ destinationAddress: bech32.toLowerCase() });
  });
});

test("it may go to an address of the account's own: it goes out and comes in, and only the fee is gone", async () => {
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

test("lists are asked by wallet, by status, by both, and by externalId", async () => {
  const walletId = await client.createWallet();
  const { id } = await client.sent({ externalId: "first" });
  await client.sent({ walletId });
  await client.cancel(id);
  const both = [`walletId=${client.walletId}&status=initiated`, `walletId=${client.walletId}&status=canceled`];
  const byId = ["externalId=first", "externalId=first&status=initiated"];
  await client.expectFilters("/transfers", [`walletId=${walletId}`, "status=canceled", ...both, ...byId]);
});
