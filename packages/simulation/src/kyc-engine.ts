import { kycFactIds } from "@gateway/platform/identity";
import type { KycEngine, PlanFacts, PlannedFact } from "@gateway/ports";

const checkMs = 30_000;
const slowCheckMs = 60 * 60 * 1000;

type Check = Parameters<KycEngine["check"]>[0];

/** The family name decides, and nothing else of the person: `Reject`, `Review`, `Slow`; all others pass. */
export function createSimulatedKycEngine(planFacts: PlanFacts): KycEngine {
  return {
    check: ({ accountId, ...check }) => planFacts({ accountId, facts: [planKycFact(check)] }),
  };
}

/** One for each verification, by its id, however often it is asked; nothing of the person is in it. */
export function planKycFact({ verificationId, subject }: Pick<Check, "verificationId" | "subject">): PlannedFact {
  const told = { port: "kycEngine", factId: kycFactIds.check(verificationId) } as const;
  const refused = { check: "document", code: "document_refused" } as const;
  switch (subject.familyName) {
    case "Reject":
      return { ...told, afterMs: checkMs, fact: { type: "failed", verificationId, ...refused } };
    case "Review":
      return { ...told, afterMs: checkMs, fact: { type: "unclear", verificationId, checks: [refused] } };
    case "Slow":
      return { ...told, afterMs: slowCheckMs, fact: { type: "passed", verificationId } };
    default:
      return { ...told, afterMs: checkMs, fact: { type: "passed", verificationId } };
  }
}
