import type { AskedMarket, AskedPrices, AskedVerifications } from "./asked-services.ts";
import type { Chain, ChainFact } from "./chain.ts";
import type { KycEngine, KycFact } from "./kyc-engine.ts";
import type { PriceSources, VenueBook } from "./price-sources.ts";
import type { Rail, RailFact } from "./rail.ts";
import type { Venue, VenueFact } from "./venue.ts";

export type { AskedMarket, AskedPrice, AskedPrices, AskedVerifications } from "./asked-services.ts";
export type { Chain, ChainFact, DepositFact, NetworkCode, TransferFact } from "./chain.ts";
export type { KycCheckName, KycDocument, KycEngine, KycFact, KycSubject } from "./kyc-engine.ts";
export type { BookLevel, MarketTrade, PriceBar, PriceSources, SourcePrice, VenueBook } from "./price-sources.ts";
export type { Rail, RailFact, RailName } from "./rail.ts";
export type { Venue, VenueFact, VenueOrder } from "./venue.ts";

/**
 * Our calls of external systems. A port is null in a deployment without it, and operations that need it return 503.
 */
export type OutsidePorts = {
  chain: Chain | null;
  rail: Rail | null;
  kycEngine: KycEngine | null;
  priceSources: PriceSources | null;
  venue: Venue | null;
  /** Services that are external. Absent when the service runs here. */
  verifications?: AskedVerifications;
  market?: AskedMarket;
  prices?: AskedPrices;
};

/** The ports of a deployment that is connected to nothing. */
export const noPorts: OutsidePorts = { chain: null, rail: null, kycEngine: null, priceSources: null, venue: null };

/** Reports of external systems, by their port. */
export type PortFacts = { chain: ChainFact; rail: RailFact; kycEngine: KycFact; venue: VenueFact };

export type PortName = keyof PortFacts;

/**
 * A fact that a simulated port will report, in the account's time and counted from now. `isInstead`: it replaces a
 * planned fact of the same name that is not reported yet.
 */
export type PlannedFact = {
  [Port in PortName]: { port: Port; factId: string; afterMs: number; fact: PortFacts[Port]; isInstead?: boolean };
}[PortName];

/** Withdraws the planned facts with these names and types that have not come due. They are never reported. */
export type WithdrawnFacts = { port: PortName; factIds: readonly string[]; types: readonly string[] };

/**
 * Plans the results of a call, and replaces the withdrawn facts. A fact whose `factId` was already planned or reported
 * has no effect.
 */
export type PlanFacts = (input: {
  accountId: string;
  facts: readonly PlannedFact[];
  withdrawn?: WithdrawnFacts;
}) => Promise<void>;

/** Creates the ports of a deployment. Simulated ports plan their reports; real ports report in their own way. */
export type CreatePorts = (planFacts: PlanFacts, readMarket: ReadMarket) => OutsidePorts;

/**
 * The market as the account sees it, for simulated ports. Their venue fills at these prices, and not while trading is
 * halted.
 */
export type ReadMarket = {
  book(input: { accountId: string; symbol: string; atMs: number; depth: number }): Promise<VenueBook>;
  /**
   * The time when the account last changed its prices of the symbol, in ms since 1970, or null. Facts that were planned
   * by earlier prices are planned again.
   */
  changedAt(input: { accountId: string; symbol: string }): Promise<number | null>;
  /** Books at several times, `atMs` or later. Future books assume that the account changes no prices until then. */
  booksAhead(input: {
    accountId: string;
    symbol: string;
    atMs: number;
    timesMs: readonly number[];
    depth: number;
  }): Promise<readonly VenueBook[]>;
};
