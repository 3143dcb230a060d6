import { invalidField, Problem } from "@gateway/contract";
import type { Clock } from "@gateway/kernel";
import type { Instrument, MarketData } from "../market-data/index.ts";
import type { OutsidePorts } from "@gateway/ports";
import type { OrderType } from "./order.ts";

export type MarketDeps = {
  clock: Clock;
  marketData: Pick<MarketData, "accountNow"> & {
    instruments: Pick<MarketData["instruments"], "find">;
    prices: Pick<MarketData["prices"], "read">;
  };
  ports: Pick<OutsidePorts, "market">;
};

type OfSymbol = { accountId: string; symbol: string };

/** A market order is filled at whatever price there is: so many sources must have said one within this time. */
const freshForMs = 30_000;
const minimumSources = 3;

/** In no transaction, for the sources of prices are outside. Refuses a symbol that nobody trades, a halt, and a market order without a price of now. */
export async function readMarket(
  deps: MarketDeps,
  { accountId, symbol, type }: OfSymbol & { type: OrderType },
): Promise<Instrument> {
  // Both are asked for at once, so who waits for somebody else's service waits once; what is wrong with the symbol is told first.
  const quoteTime = type === "market" ? deps.ports.market?.findQuoteTime({ accountId, symbol }) : undefined;
  quoteTime?.catch(() => {});
  const instrument = await findInstrument(deps, { accountId, symbol });
  if (!instrument) {
    throw invalidField("symbol", "is no instrument; list them with GET /api/v1/instruments");
  }
  if (instrument.status === "halted") {
    const message = `The instrument ${symbol} is halted and takes no orders. Try again when it trades.`;
    throw new Problem("INSTRUMENT_HALTED", message);
  }
  const isFresh =
    type !== "market" ||
    (quoteTime ? isRecent(deps.clock, await quoteTime) : await hasFreshPrice(deps, { accountId, symbol }));
  if (!isFresh) {
    throw new Problem(
      "PRICE_STALE",
      `The last prices of ${symbol} are too old for a market order. Try again, or send a limit order.`,
    );
  }
  return instrument;
}

/** Of the market data service, which may be somebody else's: in no transaction. */
export function findInstrument({ marketData, ports }: MarketDeps, own: OfSymbol): Promise<Instrument | null> {
  return ports.market ? ports.market.findInstrument(own) : marketData.instruments.find(own);
}

/** Somebody else knows no clock of an account: how old its prices are is told by the real time. */
function isRecent(clock: Clock, quotedAtMs: number | null): boolean {
  return quotedAtMs !== null && quotedAtMs >= clock.now() - freshForMs;
}

async function hasFreshPrice({ marketData }: MarketDeps, own: OfSymbol): Promise<boolean> {
  const atMs = await marketData.accountNow(own);
  const said = await marketData.prices.read({ ...own, atMs });
  return said.filter((one) => one.atMs >= atMs - freshForMs).length >= minimumSources;
}
