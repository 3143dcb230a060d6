import { change, limit, read, type Case } from "./cases.ts";
import { bookedAt, owners } from "./row-values.ts";

const { huge, small, none } = owners;
const symbol = "BTC-USD";

/** An account's overrides of an instrument, on every way to a price: one row, two while the sources are silent. */
export function marketCases(rows: number): Case[] {
  const [early, late] = [bookedAt(rows / 4, rows).getTime(), bookedAt(rows, rows).getTime()];
  const prices = (accountId: string, atMs: number): Case["ask"] => {
    return ({ marketData }) => marketData.prices.read({ accountId, symbol, atMs });
  };
  const depth = 5;
  return [
    read("prices at a quarter of the changes", 0, prices(huge.accountId, early)),
    read("prices after all changes, whose sources are silent", 0, prices(huge.accountId, late)),
    read("prices before all changes", 0, prices(huge.accountId, 0)),
    read("prices of an account with few changes", 0, prices(small.accountId, late)),
    read("prices of an account with none", 0, prices(none.accountId, late)),
    read("the first change of an instrument", 1, ({ marketData }) =>
      marketData.prices.ownSince({ accountId: huge.accountId, symbol }),
    ),
    read("the first change of an instrument that none was made of", 0, ({ marketData }) =>
      marketData.prices.ownSince({ accountId: none.accountId, symbol }),
    ),
    read("instruments", 6, ({ marketData }) => marketData.instruments.page({ accountId: huge.accountId, limit })),
    read("quotes", 0, ({ marketData }) => marketData.quotes.list({ accountId: huge.accountId, limit }), 6),
    read("an order book", 1, ({ marketData }) =>
      marketData.orderBooks.find({ accountId: huge.accountId, symbol, depth }),
    ),
    read(
      "bars of a minute, which was changed sixty times",
      0,
      ({ marketData }) =>
        marketData.bars.list({
          accountId: huge.accountId,
          symbol,
          timeframe: "1m",
          limit: 1,
          end: bookedAt(rows / 4, rows).toISOString(),
        }),
      120,
    ),
    change("a change of a price", 3, ({ marketData }) =>
      marketData.sandboxPrices.set({ accountId: huge.accountId, symbol, halted: true }),
    ),
  ];
}
