import type { TransferFact } from "@gateway/ports";
import { createSimulatedPorts } from "@gateway/simulation";
import { useEach } from "@gateway/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atOnce, codeOf, countCodes, dataOf } from "./support/answers.ts";
import {
  createCustodyClient,
  ethereumAddress,
  thresholdMinor,
  transactionHash,
  type TransferBody,
} from "./support/custody-client.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

/** Fixed, so that a gate never fails by chance. */
const seed = 20_260_309;

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

  test.each(["refused", "dropped", "refused once broadcast", "dropped once broadcast"])(
    "that its network %s fails, and all of it is available again",
    async (way) => {
      const made = await client.sent();
      await client.submit(made.id);
      if (way.endsWith("broadcast")) {
        await client.tell(factOf(made, "submitted"));
      }
      const type = way.startsWith("refused") ? "refused" : "dropped";
      expect(await client.tell(factOf(made, type))).toBe("applied");
      expect(await client.transfer(made.id)).toMatchObject({ status: "failed", failureCode: `network_${type}` });
      expect(await client.balanceOf()).toEqual(balance(funded, 0));
      expect((await client.postings(made)).slice(1)).toEqual([
        `release: debit held ${total}, credit available ${total}`,
      ]);
      expect((await client.events(made.id)).slice(2)).toMatchObject([
        changed(balance(funded - total, total), balance(funded, 0)),
      ]);
    },
  );

  test("of which the network tells before it is sent moves nothing, until it is", async () => {
    const made = await client.sent();
    expect(await client.tell(factOf(made, "confirmed"))).toBe("parked");
    expect(await client.transfer(made.id)).toEqual(made);
    await client.submit(made.id);
    expect(await client.transfer(made.id)).toMatchObject({ status: "completed", transactionHash });
    expect(await client.balanceOf()).toEqual(balance(funded - total, 0));
  });

  test("is told 20 times at once, under 20 names, and booked once; another amount and the opposite move nothing", async () => {
    const made = await client.sent();
    await client.submit(made.id);
    expect(await client.tell({ ...factOf(made, "confirmed"), amountMinor: amount - 1 } as TransferFact)).toBe(
      "mismatched",
    );
    const verdicts = await atOnce(20, (index) => client.tell(factOf(made, "confirmed"), `confirmed ${index}`));
    expect(verdicts.toSorted()).toEqual(["applied", ...Array.from({ length: 19 }, () => "superseded")]);
    expect(await client.tell(factOf(made, "dropped"))).toBe("mismatched");
    expect(await client.tell(factOf(made, "submitted"))).toBe("superseded");
    expect(await client.postings(made)).toHaveLength(2);
    expect(await client.balanceOf()).toEqual(balance(funded - total, 0));
  });

  test("ends as the first word of its network that ends it, in whatever order it is told what, each twice", async () => {
    const types = ["submitted", "confirmed", "refused", "dropped"] as const;
    const walletId = await client.createWallet();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...types], { minLength: 1 }), async (order) => {
        const before = await client.balanceOf(walletId);
        const made = await client.sent({ walletId, amount: 1_000_000 });
        await client.submit(made.id);
        for (const type of order) {
          const fact = factOf(made, type);
          if ("amountMinor" in fact) {
            expect(await client.tell({ ...fact, amountMinor: 1 })).toBe("mismatched");
          }
          await client.tell(fact);
          expect(await client.tell(fact)).toBe("known");
        }
        const end = order.find((type) => type !== "submitted");
        const status = end === undefined ? "broadcast" : ends[end];
        expect(await client.transfer(made.id)).toMatchObject({ status });
        const held = before.held + (end === undefined ? 1_500_000 : 0);
        const available = before.available - (status === "failed" ? 0 : 1_500_000);
        expect(await client.balanceOf(walletId)).toEqual(balance(available, held));
        await (end === undefined && client.tell(factOf(made, "dropped")));
      }),
      { seed, numRuns: 10 },
    );
  });
  const ends: Record<string, string> = { confirmed: "completed", refused: "failed", dropped: "failed" };

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
  test("frees all, is repeated as INVALID_STATE, and what the network tells then moves nothing", async () => {
    const made = await client.sent();
    expect(dataOf(await client.cancel(made.id))).toEqual({ ...made, status: "canceled", failureCode: "canceled" });
    expect(codeOf(await client.cancel(made.id))).toBe("INVALID_STATE");
    expect(await client.balanceOf()).toEqual(balance(funded, 0));
    expect(await client.tell(factOf(made, "confirmed"))).toBe("mismatched");
    await client.submit(made.id);
    expect(await client.transfer(made.id)).toMatchObject({ status: "canceled", submittedAt: null });
    expect(await client.postings(made)).toHaveLength(2);
  });

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

  test("what is submitted is INVALID_STATE, and that of another account 404", async () => {
    const { id } = await client.sent();
    await client.submit(id);
    expect(codeOf(await client.cancel(id))).toBe("INVALID_STATE");
    const other = await createCustodyClient(gateway, issuer);
    const answers = [
      await other.cancel(id),
      await other.call("GET", `/transfers/${id}`),
      await other.simulate("transfers", id, "completed"),
    ];
    expect(answers.map(codeOf)).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
    expect(await client.transfer(id)).toMatchObject({ status: "initiated" });
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

  test("20 of one externalId are one; it is used for ever, but not by one that is refused", async () => {
    const externalId = "invoice-7";
    expect(codeOf(await client.send({ externalId, amount: funded }))).toBe("INSUFFICIENT_FUNDS");
    const answers = await atOnce(20, () => client.send({ externalId }));
    expect(countCodes(answers)).toEqual({ 201: 1, EXTERNAL_ID_USED: 19 });
    expect(await client.balanceOf()).toEqual(balance(funded - total, total));
    const [made] = dataOf<TransferBody[]>(await client.call("GET", `/transfers?externalId=${externalId}`));
    await client.cancel(String(made?.id));
    expect(codeOf(await client.send({ externalId }))).toBe("EXTERNAL_ID_USED");
  });
});

test("lists are asked by wallet, by status, by both, and by externalId", async () => {
  const walletId = await client.createWallet();
  const first = (await client.sent({ externalId: "first" })).id;
  const second = (await client.sent({ walletId })).id;
  await client.cancel(first);
  const list = async (query: string): Promise<string[]> =>
    dataOf<TransferBody[]>(await client.call("GET", `/transfers?${query}`)).map(({ id }) => id);
  expect(await list("")).toEqual([second, first]);
  expect(await list(`walletId=${walletId}`)).toEqual([second]);
  expect(await list("status=canceled")).toEqual([first]);
  expect(await list(`walletId=${client.walletId}&status=initiated`)).toEqual([]);
  expect(await list(`walletId=${client.walletId}&status=canceled`)).toEqual([first]);
  expect(await list("externalId=first")).toEqual([first]);
  expect(await list("externalId=first&status=initiated")).toEqual([]);
});

describe("in the sandbox", () => {
  test("is completed or failed by word, once; what waits for its approval is not", async () => {
    await client.signIn();
    const [one, other] = [await client.sent(), await client.sent()];
    expect(dataOf(await client.simulate("transfers", one.id, "completed"))).toMatchObject({ status: "completed" });
    expect(codeOf(await client.simulate("transfers", one.id, "failed"))).toBe("INVALID_STATE");
    expect(dataOf(await client.simulate("transfers", other.id, "failed"))).toMatchObject({
      ...{ status: "failed", failureCode: "network_dropped" },
    });
    expect(codeOf(await client.simulate("transfers", other.id, "completed"))).toBe("INVALID_STATE");
    expect(await client.balanceOf()).toEqual(balance(funded - total, 0));
    const { id } = await client.waiting();
    expect(codeOf(await client.simulate("transfers", id, "completed"))).toBe("INVALID_STATE");
    expect(await client.transfer(id)).toMatchObject({ status: "initiated", submittedAt: null });
  });

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

  test.each([
    ["an address", ethereumAddress, { status: "completed", failureCode: null }],
    ["one that ends with dead", `0x${"0".repeat(36)}dead`, { status: "failed", failureCode: "network_refused" }],
    ["one that ends with beef", `0x${"0".repeat(36)}BEEF`, { status: "failed", failureCode: "network_dropped" }],
  ])("to %s: left alone, time ends it", async (_name, destinationAddress, end) => {
    const simulated = await startTestGateway({ databaseUrl: gateway.databaseUrl, createPorts: createSimulatedPorts });
    const by = await createCustodyClient(simulated, issuer);
    const { id } = await by.sent({ destinationAddress });
    await by.advance(1);
    const isRefused = end.failureCode === "network_refused";
    expect((await by.transfer(id)).status).toBe(isRefused ? "failed" : "broadcast");
    await by.advance(12 * 12);
    expect(await by.transfer(id)).toMatchObject(end);
    expect(await by.balanceOf()).toEqual(balance(end.status === "failed" ? funded : funded - total, 0));
    await simulated.stop();
  });

  test.each(["completed", "failed"])(
    "to be %s: what its network had planned to tell alarms nobody",
    async (outcome) => {
      const simulated = await startTestGateway({ databaseUrl: gateway.databaseUrl, createPorts: createSimulatedPorts });
      const by = await createCustodyClient(simulated, issuer);
      const destinationAddress = `0x${"0".repeat(36)}${outcome === "completed" ? "beef" : "f00d"}`;
      const { id } = await by.sent({ destinationAddress });
      await by.advance(1);
      await by.simulate("transfers", id, outcome);
      await by.advance(12 * 12);
      expect((await by.transfer(id)).status).toBe(outcome);
      const open = await simulated.platform.work.inbox.listOpen(1_000);
      expect(open.filter(({ subjectId }) => subjectId === id)).toEqual([]);
      await simulated.stop();
    },
  );
});

test("audit events say who asked for it, who canceled it, and who told of it", async () => {
  const owner = await client.signIn();
  const made = await client.sent({}, owner.headers);
  expect(made.initiatedBy).toEqual({ kind: "person", id: owner.personId });
  await client.cancel(made.id);
  const { id } = await client.sent();
  await client.simulate("transfers", id, "completed");
  const list = async (resourceId: string) =>
    dataOf<object[]>(await client.call("GET", `/audit-events?resourceId=${resourceId}`)).toReversed();
  const byKey = { type: "apiKey", id: client.keyId };
  expect(await list(made.id)).toMatchObject([
    { type: "transfer.created", actor: { type: "person", id: owner.personId } },
    { type: "transfer.canceled", actor: byKey },
  ]);
  expect(await list(id)).toMatchObject([
    { type: "transfer.created", actor: byKey },
    { type: "transfer.simulated", actor: byKey },
  ]);
});
