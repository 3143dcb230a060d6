import { describe, expect, test } from "vitest";
import { decideFactEffect } from "../../src/custody/apply-transfer-fact.ts";
import { findDecisionRefusal } from "../../src/custody/judge-decision.ts";
import { defaultRules, judgeTransfer, type PolicyRule } from "../../src/custody/judge-transfer.ts";

const allow: PolicyRule = {
  currency: "any",
  minimumMinor: 0,
  destination: "any",
  action: "allow",
  requiredApprovals: null,
};
const about = { currency: "USDC", sumMinor: 1_000n, isInAddressBook: false, isHolderKnown: true } as const;

describe("the policy", () => {
  test.each([
    ["USDC", 1_000_000_000n],
    ["BTC", 2_000_000n],
    ["ETH", 500_000_000n],
  ] as const)("%s: an account begins with one approval from %d on", (currency, sumMinor) => {
    expect(judgeTransfer(defaultRules, { ...about, currency, sumMinor: sumMinor - 1n })).toEqual({ action: "allow" });
    expect(judgeTransfer(defaultRules, { ...about, currency, sumMinor })).toEqual({
      action: "require_approval",
      requiredApprovals: 1,
    });
  });

  test("the first rule that applies decides, and where none does it is blocked", () => {
    const block: PolicyRule = { ...allow, minimumMinor: 1_000, action: "block" };
    expect(judgeTransfer([block, allow], about)).toEqual({ action: "block" });
    expect(judgeTransfer([allow, block], about)).toEqual({ action: "allow" });
    expect(judgeTransfer([block, allow], { ...about, sumMinor: 999n })).toEqual({ action: "allow" });
    expect(judgeTransfer([], about)).toEqual({ action: "block" });
    expect(judgeTransfer([{ ...allow, currency: "BTC" }], about)).toEqual({ action: "block" });
    expect(judgeTransfer([{ ...allow, destination: "address_book" }], about)).toEqual({ action: "block" });
    expect(judgeTransfer([{ ...allow, destination: "address_book" }], { ...about, isInAddressBook: true })).toEqual({
      action: "allow",
    });
  });

  test("whoever holds the key that asks, as many others approve as the rule asks for: of every rule, maker and holder", () => {
    const owners = Array.from({ length: 7 }, (_none, index) => ({
      personId: `per_${index}`,
      sinceMs: 0,
      formerIds: [],
    }));
    const nowMs = 2 * 86_400_000;
    const deciding = { status: "requested", expiresAtMs: nowMs + 1, decisions: [], owners, nowMs } as const;
    const tried = [1, 2, 3, 4, 5].flatMap((asked) =>
      owners.flatMap(({ personId: holder }) =>
        // Made by its holder, by its holder and another, or by an operator.
        [[holder], [holder, "per_0"], []].map((initiators) => {
          const rules: PolicyRule[] = [{ ...allow, action: "require_approval", requiredApprovals: asked }];
          const judgement = judgeTransfer(rules, { ...about, isHolderKnown: initiators.length > 0 });
          const needed = judgement.action === "require_approval" ? judgement.requiredApprovals : 0;
          const decision = { personId: holder, decision: "approved" } as const;
          const byHolder = findDecisionRefusal({ ...deciding, initiators }, decision) === null ? 1 : 0;
          return { byOthers: needed - byHolder, asked };
        }),
      ),
    );
    expect(tried).toHaveLength(105);
    expect(tried.filter(({ byOthers, asked }) => byOthers !== asked)).toEqual([]);
  });

  test("sums past 2^53 are exact", () => {
    const rule: PolicyRule = { ...allow, minimumMinor: Number.MAX_SAFE_INTEGER, action: "block" };
    expect(judgeTransfer([rule, allow], { ...about, sumMinor: 2n ** 53n - 2n })).toEqual({ action: "allow" });
    expect(judgeTransfer([rule, allow], { ...about, sumMinor: 2n ** 60n })).toEqual({ action: "block" });
  });
});

const states = ["initiated", "broadcast", "completed", "failed", "rejected", "canceled"] as const;
const facts = ["submitted", "confirmed", "refused", "dropped"] as const;

describe("what the network tells", () => {
  test("waits while nothing was submitted, and frees nothing", () => {
    for (const type of facts) {
      expect(decideFactEffect({ status: "initiated", isSubmitted: false }, type)).toBe("parked");
    }
  });

  test("in every order of two, once what ended it is known: the same said late is over, the opposite alarms", () => {
    const end = { complete: "completed", fail: "failed", broadcast: "broadcast" } as const;
    const table = facts.flatMap((first) =>
      facts.map((second) => {
        const effect = decideFactEffect({ status: "initiated", isSubmitted: true }, first);
        const status = end[effect as keyof typeof end];
        return `${first} ${second}: ${decideFactEffect({ status, isSubmitted: true }, second)}`;
      }),
    );
    expect(table).toEqual([
      "submitted submitted: superseded",
      "submitted confirmed: complete",
      "submitted refused: fail",
      "submitted dropped: fail",
      "confirmed submitted: superseded",
      "confirmed confirmed: superseded",
      "confirmed refused: mismatched",
      "confirmed dropped: mismatched",
      "refused submitted: superseded",
      "refused confirmed: mismatched",
      "refused refused: superseded",
      "refused dropped: superseded",
      "dropped submitted: superseded",
      "dropped confirmed: mismatched",
      "dropped refused: superseded",
      "dropped dropped: superseded",
    ]);
  });

  test("moves nothing that has ended", () => {
    for (const status of states.slice(2)) {
      for (const type of facts) {
        expect(["superseded", "mismatched"]).toContain(decideFactEffect({ status, isSubmitted: true }, type));
      }
    }
  });
});
