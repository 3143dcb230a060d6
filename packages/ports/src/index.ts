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

/** The outside, as we ask it. What a deployment has not is null: what needs it answers 503. */
export type OutsidePorts = {
  chain: Chain | null;
  rail: Rail | null;
  kycEngine: KycEngine | null;
  priceSources: PriceSources | null;
  venue: Venue | null;
  /** Services that are external; absent: the service is here. */
  verifications?: AskedVerifications;
  market?: AskedMarket;
  prices?: AskedPrices;
};

/** Of a deployment that is connected to nothing. */
export const noPorts: OutsidePorts = { chain: null, rail: null, kycEngine: null, priceSources: null, venue: null };

/** What the outside tells, by the port it tells it through. */
export type PortFacts = { chain: ChainFact; rail: RailFact; kycEngine: KycFact; venue: VenueFact };

export type PortName = keyof PortFacts;

/**
 * A fact that a simulated outside tells later, in the account's time and counted from now. `isInstead`: it takes the
 * place of one that is planned under its name and not told yet.
 */
export type PlannedFact = {
  [Port in PortName]: { port: Port; factId: string; afterMs: number; fact: PortFacts[Port]; isInstead?: boolean };
}[PortName];

/** What is planned under these names, is one of these types and has not come due: it is told no more. */
export type WithdrawnFacts = { port: PortName; factIds: readonly string[]; types: readonly string[] };

/**
 * Plans what comes of a call, in the place of what is withdrawn. Of facts with a `factId` that is planned or was told
 * already, nothing more comes.
 */
export type PlanFacts = (input: {
  accountId: string;
  facts: readonly PlannedFact[];
  withdrawn?: WithdrawnFacts;
}) => Promise<void>;

/** The outside of a deployment. One that is simulated plans what it tells; the real one has its own ways. */
export type CreatePorts = (planFacts: PlanFacts, readMarket: ReadMarket) => OutsidePorts;

/**
 * The market as an account is shown it, for an outside that is simulated: its venue fills at these prices, and nothing
 * while trading is halted.
 */
export type ReadMarket = {
  book(input: { accountId: string; symbol: string; atMs: number; depth: number }): Promise<VenueBook>;
  /**
   * When the account changed its prices of the symbol last, in ms since 1970; null: never. What is planned by prices
   * from before is planned anew.
   */
  changedAt(input: { accountId: string; symbol: string }): Promise<number | null>;
  /** At several times from `atMs` on, which may be to come: then as they are when the account changes nothing more. */
  booksAhead(input: {
    accountId: string;
    symbol: string;
    atMs: number;
    timesMs: readonly number[];
    depth: number;
  }): Promise<readonly VenueBook[]>;
};
