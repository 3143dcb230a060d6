import type { Schemas } from "@gateway/contract";
import type { BookLevel, MarketTrade, PriceBar } from "@gateway/ports";
import type { Instrument } from "./instrument.ts";
import type { OrderBook, Quote } from "./quote.ts";
import type { SandboxPrice } from "./sandbox-price.ts";

export function presentInstrument(instrument: Instrument): Schemas["Instrument"] {
  const { symbol, base, quote, status, priceScale, tickSize, minimumQuantity, maximumQuantity, quantityStep } =
    instrument;
  return { symbol, base, quote, status, priceScale, tickSize, minimumQuantity, maximumQuantity, quantityStep };
}

export function presentQuote({ symbol, bid, ask, atMs }: Quote): Schemas["Quote"] {
  return {
    symbol,
    bid: bid.price,
    ask: ask.price,
    bidQuantity: bid.quantityMinor,
    askQuantity: ask.quantityMinor,
    at: timestampOf(atMs),
  };
}

export function presentBar({ startMs, open, high, low, close, volumeMinor }: PriceBar): Schemas["Bar"] {
  return { start: timestampOf(startMs), open, high, low, close, volume: volumeMinor };
}

export function presentMarketTrade({ price, quantityMinor, side, atMs }: MarketTrade): Schemas["MarketTrade"] {
  return { price, quantity: quantityMinor, side, at: timestampOf(atMs) };
}

export function presentOrderBook({ symbol, bids, asks, atMs }: OrderBook): Schemas["OrderBook"] {
  return { symbol, bids: bids.map(presentLevel), asks: asks.map(presentLevel), at: timestampOf(atMs) };
}

export function presentSandboxPrice(changed: SandboxPrice): Schemas["SandboxPrice"] {
  const { symbol, price, isHalted, isStale, sinceMs } = changed;
  return { symbol, price, halted: isHalted, stale: isStale, since: timestampOf(sinceMs) };
}

function presentLevel({ price, quantityMinor }: BookLevel): Schemas["OrderBookLevel"] {
  return { price, quantity: quantityMinor };
}

function timestampOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
