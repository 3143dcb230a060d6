import type { Schemas } from "@gateway/contract";
import { parseDecimal, parseTimestamp } from "@gateway/kernel";
import { askUpstream } from "./ask-upstream.ts";
import { holdList, type HoldData } from "./hold-data.ts";
import type { Upstream } from "./upstream.ts";
import { upstreamInvalidAnswer } from "./upstream-fault.ts";

type OfSymbol = { accountId: string; symbol: string; requestId: string };

/** The allowed difference between our clock and an upstream's. */
const clocksDifferByMs = 30_000;

/** An instrument of an external market data service, or null. Called outside transactions. */
export async function readUpstreamInstrument(
  upstream: Pick<Upstream, "send">,
  hold: HoldData,
  { symbol, ...asked }: OfSymbol,
): Promise<Schemas["Instrument"] | null> {
  const target = `/api/v1/instruments/${encodeURIComponent(symbol)}`;
  const data = await askUpstream(upstream, { ...asked, target, by: "execution" });
  if (data === null) {
    return null;
  }
  const instrument = hold("Instrument", data);
  const fault = findFault(instrument, symbol);
  if (fault !== null) {
    throw upstreamInvalidAnswer(`An instrument ${fault}.`);
  }
  return instrument;
}

/** Checks rules that the schema cannot express and on which amounts depend. */
function findFault(
  { symbol, base, quote, priceScale, tickSize, ...quantities }: Schemas["Instrument"],
  asked: string,
): string | null {
  const { minimumQuantity, maximumQuantity, quantityStep } = quantities;
  const [, places = ""] = tickSize.split(".");
  if (symbol !== asked || symbol !== `${base}-${quote}`) {
    return "is not the one that was asked for, or not of the currencies of its symbol";
  }
  if (places.length > priceScale || parseDecimal(tickSize, priceScale) === 0n) {
    return "has a tickSize of nothing, or of more places than its prices";
  }
  return quantityStep < 1 || minimumQuantity < 1 || minimumQuantity > maximumQuantity
    ? "has quantities that no order can have"
    : null;
}

/** The time of an external market data service's best prices, in ms since 1970. Called outside transactions. */
export async function readUpstreamQuoteTime(
  upstream: Pick<Upstream, "send">,
  hold: HoldData,
  { symbol, nowMs, ...asked }: OfSymbol & { nowMs(): number },
): Promise<number | null> {
  const target = `/api/v1/quotes?symbols=${encodeURIComponent(symbol)}`;
  const quotes = holdList(hold, "Quote", await askUpstream(upstream, { ...asked, target, by: "execution" }));
  const [quote] = quotes;
  if (!quote) {
    return null;
  }
  const atMs = parseTimestamp(quote.at).getTime();
  const [bid, ask] = [quote.bid, quote.ask].map((price) => parseDecimal(price, mostPlaces));
  if (quotes.length > 1 || quote.symbol !== symbol || !bid || !ask || bid >= ask) {
    throw upstreamInvalidAnswer("The quotes are not the one that was asked for, or its bid is not below its ask.");
  }
  if (Number.isNaN(atMs) || atMs > nowMs() + clocksDifferByMs) {
    throw upstreamInvalidAnswer("A quote has no time, or a time in the future.");
  }
  return atMs;
}

/** The maximum number of places of a price in the document. */
const mostPlaces = 12;
