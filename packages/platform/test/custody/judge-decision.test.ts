import { describe, expect, test } from "vitest";
import {
  countApprovals,
  findDecisionRefusal,
  type Deciding,
  type ApprovalDecision,
} from "../../src/custody/judge-decision.ts";

const dayMs = 86_400_000;
const nowMs = 100 * dayMs;
const me = "per_me";

const roles = ["none", "owner"] as const;
const ages = [0, dayMs - 1, dayMs, 30 * dayMs];
const booleans = [true, false];
const statuses = ["requested", "approved", "rejected", "expired", "canceled"] as const;
const lives = [-1, 0, 1];
const decisions = ["approved", "rejected"] as const;

const all = roles.flatMap((role) =>
  ages.flatMap((ageMs) =>
    booleans.flatMap((isInitiator) =>
      booleans.flatMap((hasDecided) =>
        statuses.flatMap((status) =>
          lives.flatMap((lifeMs) =>
            decisions.map((decision) => ({ role, ageMs, isInitiator, hasDecided, status, lifeMs, decision })),
          ),
        ),
      ),
    ),
  ),
);

type Case = (typeof all)[number];

function stateOf({ role, ageMs, isInitiator, hasDecided, status, lifeMs }: Case): Deciding {
  return {
    status,
    expiresAtMs: nowMs + lifeMs,
    decisions: hasDecided ? [decisionOf(me, "approved")] : [],
    initiators: isInitiator ? ["per_other", me] : ["per_other"],
    owners: role === "owner" ? [{ personId: me, sinceMs: nowMs - ageMs, formerIds: [] }] : [],
    nowMs,
  };
}

function decisionOf(personId: string | null, decision: ApprovalDecision["decision"]): ApprovalDecision {
  return { personId, decision, comment: null, at: new Date(nowMs).toISOString() };
}

describe("who may decide", () => {
  test("yes is said in time, once, by an owner of a day who did not ask for it: by nobody else, of all combinations", () => {
    const taken = all.filter((one) => one.decision === "approved" && refusalOf(one) === null);
    expect(taken).toEqual(
      all.filter(
        (one) =>
          one.decision === "approved" &&
          one.role === "owner" &&
          one.ageMs >= dayMs &&
          !one.isInitiator &&
          !one.hasDecided &&
          one.status === "requested" &&
          one.lifeMs > 0,
      ),
    );
    expect(taken).toHaveLength(2);
  });

  test("no is said in time, once, by any owner, also by who asked for it: by nobody else, of all combinations", () => {
    const taken = all.filter((one) => one.decision === "rejected" && refusalOf(one) === null);
    expect(taken).toEqual(
      all.filter(
        (one) =>
          one.decision === "rejected" &&
          one.role === "owner" &&
          !one.hasDecided &&
          one.status === "requested" &&
          one.lifeMs > 0,
      ),
    );
    expect(taken).toHaveLength(8);
  });

  test("what is decided or over is refused as that, whoever asks", () => {
    const over = all.filter(({ status, lifeMs }) => status !== "requested" || lifeMs <= 0);
    expect(new Set(over.map(refusalOf))).toEqual(new Set(["INVALID_STATE"]));
  });
});

function refusalOf(one: Case): string | null {
  return findDecisionRefusal(stateOf(one), { personId: me, decision: one.decision });
}

describe("what counts", () => {
  const owners = [1, 2, 3].map((number) => ({
    personId: `per_${number}`,
    sinceMs: 0,
    formerIds: [`per_former_${number}`],
  }));
  const yes = (personId: string | null): ApprovalDecision => decisionOf(personId, "approved");

  test.each<[string, Partial<Deciding>, number]>([
    ["each person once", { decisions: [yes("per_1"), yes("per_1"), yes("per_2")] }, 2],
    ["nobody who is no owner any more", { decisions: [yes("per_1"), yes("per_4")] }, 1],
    [
      "nobody who is owner again since a moment",
      { decisions: [yes("per_1")], owners: [{ personId: "per_1", sinceMs: nowMs - 1, formerIds: [] }] },
      0,
    ],
    ["nobody who asked for it", { decisions: [yes("per_1"), yes("per_2")], initiators: ["per_1"] }, 1],
    ["nobody who asked for it before they left", { decisions: [yes("per_1")], initiators: ["per_former_1"] }, 0],
    ["nobody twice who joined again", { decisions: [yes("per_former_1"), yes("per_1")] }, 1],
    ["no no", { decisions: [decisionOf("per_1", "rejected")] }, 0],
    ["each simulated owner", { decisions: [yes(null), yes(null)] }, 2],
  ])("%s", (_name, state, count) => {
    expect(countApprovals({ owners, initiators: [], nowMs, decisions: [], ...state })).toBe(count);
  });
});
