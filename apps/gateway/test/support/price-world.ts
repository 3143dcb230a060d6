import { createSimulatedPorts } from "@gateway/simulation";
import type { CreatePorts, PriceSources, SourcePrice } from "@gateway/ports";

/** Five sources that report the prices of the test, and a book around them. Other external systems are simulated. */
export type PriceWorld = {
  /** Prices of all sources at a time, for every symbol. */
  said(atMs: number): SourcePrice[];
  /** While it is set, a reading waits for it. */
  gate: Promise<void> | null;
  createPorts: CreatePorts;
};

export function createPriceWorld(): PriceWorld {
  const world: PriceWorld = {
    said: (atMs) => fiveSaying("100", atMs),
    gate: null,
    createPorts: (planFacts, readMarket) => {
      const ports = createSimulatedPorts(planFacts, readMarket);
      return { ...ports, priceSources: { ...requireSources(ports.priceSources), read, book } };
    },
  };
  const read: PriceSources["read"] = async ({ atMs }) => {
    await world.gate;
    return world.said(atMs);
  };
  const book: PriceSources["book"] = async ({ atMs }) => {
    const level = { price: world.said(atMs)[0]?.price ?? "1", quantityMinor: 1_000_000 };
    return { bids: [level], asks: [level] };
  };
  return world;
}

/** The same price from all five sources. */
export function fiveSaying(price: string, atMs: number): SourcePrice[] {
  return sourcesSaying([price, price, price, price, price], atMs);
}

export function sourcesSaying(prices: readonly string[], atMs: number): SourcePrice[] {
  return prices.map((price, index) => ({ source: `source-${index + 1}`, price, atMs }));
}

function requireSources(sources: PriceSources | null): PriceSources {
  if (!sources) {
    throw new Error("The simulated outside has no sources of prices.");
  }
  return sources;
}
