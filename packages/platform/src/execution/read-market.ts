import { invalidField, Problem } from "@gateway/contract";
import type { Instrument, MarketData } from "../market-data/index.ts";
import type { OrderType } from "./order.ts";

export type MarketDeps = {
  marketData: Pick<MarketData, "accountNow"> & {
    instruments: Pick<MarketData["instruments"], "find">;
    prices: Pick<MarketData["prices"], "read">;
  };
};

/** A market order is filled at whatever price there is: so many sources must have said one within this time. */
const freshForMs = 30_000;
const minimumSources = 3;

/** In no transaction, for the sources of prices are outside. Refuses a symbol that nobody trades, a halt, and a market order without a price of now. */
export async function readMarket(
  { marketData }: MarketDeps,
  { accountId, symbol, type }: { accountId: string; symbol: string; type: OrderType },
): Promise<Instrument> {
  const instrument = await marketData.instruments.find({ accountId, symbol });
  if (!instrument) {
    throw invalidField("symbol", "is no instrument; list them with GET /api/v1/instruments");
  }
  if (instrument.status === "halted") {
    const message = `The instrument ${symbol} is halted and takes no orders. Try again when it trades.`;
    throw new Problem("INSTRUMENT_HALTED", message);
  }
  if (type === "market") {
    await requireFreshPrice({ marketData }, { accountId, symbol });
  }
  return instrument;
}

async function requireFreshPrice(
  { marketData }: MarketDeps,
  { accountId, symbol }: { accountId: string; symbol: string },
): Promise<void> {
  const atMs = await marketData.accountNow({ accountId });
  const said = await marketData.prices.read({ accountId, symbol, atMs });
  if (said.filter((one) => one.atMs >= atMs - freshForMs).length < minimumSources) {
    throw new Problem(
      "PRICE_STALE",
      `The last prices of ${symbol} are too old for a market order. Try again, or send a limit order.`,
    );
  }
}
