import type { OutsidePorts, PlanFacts } from "@gateway/platform";
import { createSimulatedChain } from "./chain.ts";
import { createSimulatedKycEngine } from "./kyc-engine.ts";
import { createSimulatedPriceSources } from "./price-sources.ts";
import { createSimulatedRail } from "./rail.ts";

export { createSimulatedChain, magicAddresses, planTransfer } from "./chain.ts";
export { createSimulatedPriceSources } from "./price-sources.ts";
export { createSimulatedRail, magicAccountNumbers, planOutcome, railDelayMs, returnedAfterMs } from "./rail.ts";

/**
 * The outside of the sandbox. It keeps nothing: what it answers follows from what it is asked, and what comes of it is planned as facts,
 * which the clock of the account brings.
 */
export function createSimulatedPorts(planFacts: PlanFacts): OutsidePorts {
  return {
    chain: createSimulatedChain(planFacts),
    rail: createSimulatedRail(planFacts),
    kycEngine: createSimulatedKycEngine(planFacts),
    priceSources: createSimulatedPriceSources(),
    venue: null,
  };
}
