import type { OutsidePorts, PlanFacts, ReadMarket } from "@gateway/ports";
import { createSimulatedChain } from "./chain.ts";
import { createSimulatedKycEngine } from "./kyc-engine.ts";
import { createSimulatedPriceSources } from "./price-sources.ts";
import { createSimulatedRail } from "./rail.ts";
import { createSimulatedVenue } from "./venue.ts";

export { createSimulatedChain, magicAddresses, planTransfer } from "./chain.ts";
export { createSimulatedPriceSources } from "./price-sources.ts";
export { createSimulatedRail, magicAccountNumbers, planOutcome, railDelayMs, returnedAfterMs } from "./rail.ts";
export { takeOf, type Taken } from "./fill-order.ts";
export { createSimulatedVenue, lookAheadMinutes } from "./venue.ts";

/**
 * The external systems of the sandbox. They keep no state: a result follows from the input, and later results are
 * planned as facts, which become due by the account's clock.
 */
export function createSimulatedPorts(planFacts: PlanFacts, readMarket: ReadMarket): OutsidePorts {
  return {
    chain: createSimulatedChain(planFacts),
    rail: createSimulatedRail(planFacts),
    kycEngine: createSimulatedKycEngine(planFacts),
    priceSources: createSimulatedPriceSources(),
    venue: createSimulatedVenue(planFacts, readMarket),
  };
}
