import { beforeEach, describe, expect, test } from "vitest";
import { atOnce, codeOf, countCodes, dataOf } from "./support/answers.ts";
import {
  createCustodyClient,
  dayMs,
  thresholdMinor,
  untilAvailable,
  type ApprovalBody,
  type CustodyClient,
} from "./support/custody-client.ts";
import { fireTimer } from "./support/fire-timer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

let client: CustodyClient;

const issuer = useIssuer();
const gateway = useGateway({ issuer, keepsStill: true });
beforeEach(async () => {
  client = await createCustodyClient(gateway, issuer);
});

const funded = 10_000_000_000;
const total = thresholdMinor + 500_000;
const free = { available: funded, pending: 0, held: 0 };
const hold = `hold: debit available ${total}, credit held ${total}`;
const release = `release: debit held ${total}, credit available ${total}`;

describe("an approval", () => {
  test("lets its transfer go out: states, decisions, events and postings", async () => {
    const owner = await client.signIn();
    const transfer = await client.waiting();
    const requested = await client.approval(transfer.approvalId);
    expect(requested).toEqual({
      ...{ id: transfer.approvalId, transferId: transfer.id, walletId: client.walletId, amount: thresholdMinor },
      ...{ currency: "USDC", status: "requested", requiredApprovals: 1, decisions: [], decidedAt: null },
      ...{ createdAt: transfer.createdAt, expiresAt: new Date(Date.parse(transfer.createdAt) + dayMs).toISOString() },
    });
    const made = [
      { type: "custody.transfer.initiated", object: { id: transfer.id, status: "initiated" } },
      { type: "custody.approval.requested", object: requested },
      { type: "wallet.balance_changed", object: { balanceAfter: { available: funded - total, held: total } } },
    ];
    expect(await client.events(transfer.id)).toMatchObject(made);
    const agreed = { comment: "Agreed" };
    const approved = dataOf<ApprovalBody>(
      await client.call("POST", `/approvals/${transfer.approvalId}/approve`, agreed, owner.headers),
    );
    const { decidedAt } = approved;
    expect(approved).toEqual({
      ...requested,
      ...{ status: "approved", decidedAt: expect.any(String) },
      decisions: [{ personId: owner.personId, decision: "approved", comment: "Agreed", at: decidedAt }],
    });
    expect(await client.approval(transfer.approvalId)).toEqual(approved);
    expect(await client.postings(transfer)).toEqual([hold]);
    expect(await client.events(transfer.id)).toHaveLength(3);
    await client.submit(transfer.id);
    expect((await client.transfer(transfer.id)).submittedAt).not.toBeNull();
  });

  test("that is refused ends its transfer, and all is available again", async () => {
    const owner = await client.signIn();
    const transfer = await client.waiting();
    expect(dataOf(await client.decide(transfer.approvalId, "reject", owner))).toMatchObject({
      status: "rejected",
      decisions: [{ personId: owner.personId, decision: "rejected", comment: null }],
    });
    expect(await client.transfer(transfer.id)).toMatchObject({
      ...{ status: "rejected", failureCode: "approval_rejected", submittedAt: null },
    });
    expect(await client.postings(transfer)).toEqual([hold, release]);
    expect((await client.events(transfer.id)).slice(3)).toMatchObject([
      { type: "wallet.balance_changed", object: { balanceBefore: { held: total }, balanceAfter: free } },
    ]);
    await client.expectRefused("INVALID_STATE", () => client.decide(transfer.approvalId, "approve", owner));
  });

  test("that nobody gives in a day expires, and its transfer with it", async () => {
    const transfer = await client.waiting();
    await fireTimer(gateway, { kind: "approval.expire", subjectId: transfer.approvalId });
    expect(await client.approval(transfer.approvalId)).toMatchObject({ status: "requested" });
    await client.advance(86_400);
    expect(await client.approval(transfer.approvalId)).toMatchObject({ status: "expired", decisions: [] });
    expect(await client.transfer(transfer.id)).toMatchObject({ status: "rejected", failureCode: "approval_expired" });
    expect(await client.postings(transfer)).toEqual([hold, release]);
    expect(await client.balanceOf()).toEqual(free);
  });

  test("is canceled with its transfer", async () => {
    const transfer = await client.waiting();
    await client.cancel(transfer.id);
    expect(await client.approval(transfer.approvalId)).toMatchObject({ status: "canceled", decisions: [] });
    expect(await client.postings(transfer)).toEqual([hold, release]);
  });

  test("is not given while the wallet is frozen, and is refused: then the frozen wallet has all again", async () => {
    const owner = await client.signIn();
    const transfer = await client.waiting();
    await client.call("POST", `/wallets/${client.walletId}/freeze`);
    await client.expectRefused("WALLET_NOT_ACTIVE", () => client.decide(transfer.approvalId, "approve", owner));
    expect((await client.decide(transfer.approvalId, "reject", owner)).status).toBe(200);
    expect(await client.balanceOf()).toEqual(free);
  });

  test("of another account is 404, and nothing is written", async () => {
    const { approvalId } = await client.waiting();
    const other = await createCustodyClient(gateway, issuer);
    const owner = await other.signIn();
    await client.expectRefused("NOT_FOUND", () => other.decide(approvalId, "approve", owner));
    await client.expectRefused("NOT_FOUND", () => other.decide(approvalId, "reject", owner));
    await client.expectRefused("NOT_FOUND", () => other.simulate("approvals", approvalId, "approved"));
    await client.expectRefused("NOT_FOUND", () => other.call("GET", `/approvals/${approvalId}`));
  });
});

describe("many at once", () => {
  test("64 approve at once, two owners of them: each person counts once", async () => {
    await client.requireApprovals(3);
    const owners = [await client.signIn(), await client.signIn()];
    const { approvalId } = await client.waiting();
    const approve = (index: number) => client.decide(approvalId, "approve", owners[index % 2]);
    const answers = await atOnce(64, (index) => untilAvailable(() => approve(index)));
    expect(countCodes(answers)).toEqual({ 200: 2, ALREADY_DECIDED: 62 });
    const { status, decisions } = await client.approval(approvalId);
    expect(status).toBe("requested");
    expect(new Set(decisions.map(({ personId }) => personId))).toEqual(new Set(owners.map(({ personId }) => personId)));
    expect(decisions).toHaveLength(2);
    expect((await client.decide(approvalId, "approve", await client.signIn())).status).toBe(200);
    expect(await client.approval(approvalId)).toMatchObject({ status: "approved" });
  });

  test("64 approve at once, two owners of them, where two are enough: two count, and one lets it go out", async () => {
    await client.requireApprovals(2);
    const owners = [await client.signIn(), await client.signIn()];
    const transfer = await client.waiting();
    const approve = (index: number) => client.decide(transfer.approvalId, "approve", owners[index % 2]);
    const answers = await atOnce(64, (index) => untilAvailable(() => approve(index)));
    const { 200: taken, ...refused } = countCodes(answers);
    expect(taken).toBe(2);
    expect(Object.keys(refused)).not.toContain("500");
    const { status, decisions } = await client.approval(transfer.approvalId);
    expect([status, decisions.length]).toEqual(["approved", 2]);
    expect(await client.postings(transfer)).toEqual([hold]);
  });

  test("approve against reject against cancel against expiry, 20 at once: one ends it, and nothing is written twice", async () => {
    const winners = new Set<string>();
    for (let round = 0; round < 8; round += 1) {
      client = await createCustodyClient(gateway, issuer);
      const owners = [await client.signIn(), await client.signIn(), await client.signIn(), await client.signIn()];
      const transfer = await client.waiting();
      const { id, approvalId } = transfer;
      const ways = [
        (index: number) => client.decide(approvalId, "approve", owners[index % 4]),
        (index: number) => client.decide(approvalId, "reject", owners[index % 4]),
        () => client.cancel(id),
        () => client.call("POST", "/sandbox/clock/advance", { seconds: 86_400 }),
      ];
      const answers = await atOnce(20, async (index) => {
        const way = (index + round) % ways.length;
        const { status } = (await ways[way]?.(index)) ?? {};
        return { way, status };
      });
      const won = (way: number): number => answers.filter((one) => one.way === way && one.status === 200).length;
      const [approved, rejected, canceled] = [won(0), won(1), won(2)];
      const { status, decisions } = await client.approval(approvalId);
      winners.add(status);
      expect({ approved, rejected }).toEqual({
        approved: status === "approved" ? 1 : 0,
        rejected: status === "rejected" ? 1 : 0,
      });
      expect(decisions).toHaveLength(approved + rejected);
      // An approved transfer may be canceled until it is sent.
      const { status: end, submittedAt } = await client.transfer(id);
      expect(canceled).toBe(end === "canceled" ? 1 : 0);
      expect(end).toBe(endOf[status] ?? (canceled ? "canceled" : "initiated"));
      expect(canceled && submittedAt).toBeFalsy();
      const isOver = end !== "initiated";
      expect(await client.postings(transfer)).toEqual(isOver ? [hold, release] : [hold]);
      expect(await client.events(id)).toHaveLength(isOver ? 4 : 3);
      expect(await client.balanceOf()).toEqual(isOver ? free : { available: funded - total, pending: 0, held: total });
    }
    expect(winners.size).toBeGreaterThan(1);
  });

  const endOf: Record<string, string> = { rejected: "rejected", expired: "rejected", canceled: "canceled" };

  test("20 simulated owners at once, where two are enough: two count", async () => {
    await client.requireApprovals(2);
    const { id, approvalId } = await client.waiting();
    const answers = await atOnce(20, () => untilAvailable(() => client.simulate("approvals", approvalId, "approved")));
    expect(countCodes(answers)).toEqual({ 200: 2, INVALID_STATE: 18 });
    expect((await client.approval(approvalId)).decisions).toMatchObject([{ personId: null }, { personId: null }]);
    expect(dataOf(await client.simulate("transfers", id, "completed"))).toMatchObject({ status: "completed" });
  });
});

describe("in the sandbox", () => {
  test("each call is another owner, so two are a quorum of two, also beside a person", async () => {
    await client.requireApprovals(2);
    const [first, second] = [await client.waiting(), await client.waiting()];
    const simulate = async (approvalId: string): Promise<unknown> =>
      dataOf<{ status: string }>(await client.simulate("approvals", approvalId, "approved")).status;
    expect([await simulate(first.approvalId), await simulate(first.approvalId)]).toEqual(["requested", "approved"]);
    expect(codeOf(await client.simulate("approvals", first.approvalId, "approved"))).toBe("INVALID_STATE");
    await client.decide(second.approvalId, "approve", await client.signIn());
    expect(await simulate(second.approvalId)).toBe("approved");
  });

  test("one simulated no ends it", async () => {
    await client.requireApprovals(2);
    const { id, approvalId } = await client.waiting();
    await client.simulate("approvals", approvalId, "approved");
    expect(dataOf(await client.simulate("approvals", approvalId, "rejected"))).toMatchObject({
      ...{ status: "rejected", decisions: [{ decision: "approved" }, { decision: "rejected" }] },
    });
    expect(await client.transfer(id)).toMatchObject({ status: "rejected" });
    expect(await client.balanceOf()).toEqual(free);
  });
});

test("audit events say which person decided, and no comment; a repeated request is one decision", async () => {
  const owner = await client.signIn();
  const { approvalId } = await client.waiting();
  const headers = { ...owner.headers, "Idempotency-Key": "once" };
  const approve = () => client.call("POST", `/approvals/${approvalId}/approve`, { comment: "Secret reason" }, headers);
  const answers = await atOnce(20, approve);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const second = await client.waiting();
  await client.decide(second.approvalId, "reject", owner);
  const list = async (id: string) => client.call("GET", `/audit-events?resourceId=${id}`);
  const [approved, rejected] = [await list(approvalId), await list(second.approvalId)];
  const actor = { type: "person", id: owner.personId };
  const changes = (after: string) => [{ field: "status", before: null, after }];
  expect(dataOf(approved)).toMatchObject([{ type: "approval.approved", actor, changes: changes("approved") }]);
  expect(dataOf(rejected)).toMatchObject([{ type: "approval.rejected", actor, changes: changes("rejected") }]);
  expect(approved.text).not.toContain("Secret reason");
});
