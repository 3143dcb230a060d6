import { kycFactIds } from "@gateway/platform/identity";
import type { KycEngine, PlanFacts, PlannedFact } from "@gateway/ports";

const checkMs = 30_000;
const slowCheckMs = 60 * 60 * 1000;

type Check = Parameters<KycEngine["check"]>[0];

/** Only the family name decides: `Reject`, `Review` or `Slow`. All others pass. */
export function createSimulatedKycEngine(planFacts: PlanFacts): KycEngine {
  return {
    check: ({ accountId, ...check }) => planFacts({ accountId, facts: [planKycFact(check)] }),
  };
}

/** One fact for each verification, however often it is called. It has no data of the person. */
function planKycFact({ verificationId, subject }: Pick<Check, "verificationId" | "subject">): PlannedFact {
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
