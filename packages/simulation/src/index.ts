import type { OutsidePorts, PlanFacts } from "@gateway/platform";

/**
 * The outside of the sandbox. It keeps nothing: what it answers follows from what it is asked, and what comes of it is planned as facts,
 * which the clock of the account brings.
 */
export function createSimulatedPorts(_planFacts: PlanFacts): OutsidePorts {
  return { chain: null, rail: null, kycEngine: null };
}
