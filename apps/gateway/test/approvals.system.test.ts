import { useEach } from "@gateway/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import { atOnce, codeOf, countCodes, dataOf } from "./support/answers.ts";
import {
  createCustodyClient,
  dayMs,
  thresholdMinor,
  untilAvailable,
  type ApprovalBody,
  type SignedIn,
} from "./support/custody-client.ts";
import { keysMadeBy } from "./support/keys-made-by.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

const issuer = useIssuer();
const gateway = useGateway({ issuer, keepsStill: true });
const client = useEach(() => createCustodyClient(gateway, issuer));

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

  test("is not given while the wallet is frozen, and is refused: then the frozen wallet has all again", async () => {
    const owner = await client.signIn();
    const transfer = await client.waiting();
    await client.call("POST", `/wallets/${client.walletId}/freeze`);
    await client.expectRefused("WALLET_NOT_ACTIVE", () => client.decide(transfer.approvalId, "approve", owner));
    expect((await client.decide(transfer.approvalId, "reject", owner)).status).toBe(200);
    expect(await client.balanceOf()).toEqual(free);
  });
});

describe("many at once", () => {
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
      const client = await createCustodyClient(gateway, issuer);
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

describe("who asked for it", () => {
  const makers: [string, (person: SignedIn) => Promise<Record<string, string>>][] = [
    ["the initiator", async (person) => person.headers],
    ["the maker of the key", async (person) => (await client.createKey(person.headers)).headers],
    [
      "the maker of the key that made the key that made the key",
      async (person) => {
        const first = await client.createKey(person.headers);
        const second = await client.createKey(first.headers);
        await client.call("DELETE", `/api-keys/${first.id}`);
        return (await client.createKey(second.headers)).headers;
      },
    ],
    [
      "the maker of a key that rolled itself",
      async (person) => {
        const { id, headers } = await client.createKey(person.headers);
        const rolled = await client.call("POST", `/api-keys/${id}/roll`, { overlapSeconds: 0 }, headers);
        return { "X-API-Key": dataOf<{ secret: string }>(rolled, 201).secret };
      },
    ],
  ];

  test.each(makers)("may not approve it, and may reject it: %s", async (_name, prepare) => {
    const [person, other] = [await client.signIn(), await client.signIn()];
    const headers = await prepare(person);
    const first = await client.waiting(headers);
    await client.expectRefused("APPROVER_IS_INITIATOR", () => client.decide(first.approvalId, "approve", person));
    expect(dataOf(await client.decide(first.approvalId, "reject", person))).toMatchObject({ status: "rejected" });
    const second = await client.waiting(headers);
    expect(dataOf(await client.decide(second.approvalId, "approve", other))).toMatchObject({ status: "approved" });
  });

  test("nor when they were removed and invited again since: who made the key is known by their user", async () => {
    const [before, other] = [await client.signIn(), await client.signIn()];
    const { headers } = await client.createKey(before.headers);
    expect((await client.call("DELETE", `/people/${before.personId}`)).status).toBe(200);
    const person = await client.signIn({ userId: before.userId });
    const first = await client.waiting(headers);
    await client.expectRefused("APPROVER_IS_INITIATOR", () => client.decide(first.approvalId, "approve", person));
    expect(dataOf(await client.decide(first.approvalId, "reject", person))).toMatchObject({ status: "rejected" });
    const second = await client.waiting(headers);
    expect(dataOf(await client.decide(second.approvalId, "approve", other))).toMatchObject({ status: "approved" });
  });
});

describe("in production", () => {
  test("whoever holds a key that an operator made does not approve alone: it takes one approval more", async () => {
    const live = await startTestGateway({ issuer, keepsStill: true, env: { LIVEMODE: "true" } });
    onTestFinished(() => live.stop());
    const { account, waiting, signIn, decide, approval } = await createCustodyClient(live, issuer);
    const [holder, other] = [await signIn(), await signIn()];
    const ask = { accountId: account.id, permission: "write", expiresAt: null } as const;
    const byOperator = await live.platform.accounts.apiKeys.create({ ...ask, name: "Made by an operator" });
    const byOwner = await keysMadeBy(live.platform, other.personId).create({ ...ask, name: "Made by an owner" });

    const transfer = await waiting({ "X-API-Key": byOperator.secret });
    expect(await approval(transfer.approvalId)).toMatchObject({ requiredApprovals: 2 });
    expect(dataOf<ApprovalBody>(await decide(transfer.approvalId, "approve", holder)).status).toBe("requested");
    expect(codeOf(await decide(transfer.approvalId, "approve", holder))).toBe("ALREADY_DECIDED");
    expect(dataOf<ApprovalBody>(await decide(transfer.approvalId, "approve", other)).status).toBe("approved");

    const known = await waiting({ "X-API-Key": byOwner.secret });
    expect(codeOf(await decide(known.approvalId, "approve", other))).toBe("APPROVER_IS_INITIATOR");
    expect(dataOf<ApprovalBody>(await decide(known.approvalId, "approve", holder)).status).toBe("approved");
  });
});

describe("who counts", () => {
  test("no owner of less than 24 hours, who may say no", async () => {
    const [young, old] = [
      await client.signIn({ ownerForMs: dayMs - 60_000 }),
      await client.signIn({ ownerForMs: dayMs }),
    ];
    const { approvalId } = await client.waiting();
    await client.expectRefused("FORBIDDEN", () => client.decide(approvalId, "approve", young));
    expect((await client.decide(approvalId, "approve", old)).status).toBe(200);
    const second = await client.waiting();
    expect((await client.decide(second.approvalId, "reject", young)).status).toBe(200);
  });

  test.each([
    ["demoted", (personId: string) => client.call("PATCH", `/people/${personId}`, { role: "member" })],
    ["removed", (personId: string) => client.call("DELETE", `/people/${personId}`)],
    [
      "demoted and owner again",
      async (personId: string) => {
        await client.call("PATCH", `/people/${personId}`, { role: "member" });
        return client.call("PATCH", `/people/${personId}`, { role: "owner" });
      },
    ],
  ])("not who approved and then was %s", async (_name, change) => {
    await client.requireApprovals(2);
    const [first, second, third] = [await client.signIn(), await client.signIn(), await client.signIn()];
    const transfer = await client.waiting();
    await client.decide(transfer.approvalId, "approve", first);
    expect((await change(first.personId)).status).toBe(200);
    expect(dataOf(await client.decide(transfer.approvalId, "approve", second))).toMatchObject({ status: "requested" });
    expect(dataOf(await client.decide(transfer.approvalId, "approve", third))).toMatchObject({ status: "approved" });
  });

  test("nobody twice, not even who approved, was removed, and joined again", async () => {
    await client.requireApprovals(2);
    const [first, second] = [await client.signIn(), await client.signIn()];
    const { approvalId } = await client.waiting();
    await client.decide(approvalId, "approve", first);
    expect((await client.call("DELETE", `/people/${first.personId}`)).status).toBe(200);
    const again = await client.signIn({ userId: first.userId });
    expect(dataOf(await client.decide(approvalId, "approve", again))).toMatchObject({ status: "requested" });
    expect(dataOf(await client.decide(approvalId, "approve", second))).toMatchObject({ status: "approved" });
  });

  test("10 demote who approved while 10 others approve: what is not approved then needs one more", async () => {
    await client.requireApprovals(2);
    const [first, second, third] = [await client.signIn(), await client.signIn(), await client.signIn()];
    const { approvalId } = await client.waiting();
    await client.decide(approvalId, "approve", first);
    const [demoted, approved] = await Promise.all([
      atOnce(10, () => client.call("PATCH", `/people/${first.personId}`, { role: "member" })),
      atOnce(10, () => client.decide(approvalId, "approve", second)),
    ]);
    expect(countCodes(demoted)).toEqual({ 200: 10 });
    expect(countCodes(approved)[200]).toBe(1);
    const { status, decisions } = await client.approval(approvalId);
    expect(decisions).toHaveLength(2);
    const last = await client.decide(approvalId, "approve", third);
    expect(codeOf(last)).toBe(status === "approved" ? "INVALID_STATE" : undefined);
    expect(await client.approval(approvalId)).toMatchObject({ status: "approved" });
  });
});
