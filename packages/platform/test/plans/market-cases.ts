import { limit, undone, type Case } from "./cases.ts";
import { bookedAt, owners } from "./row-values.ts";

const { huge, small, none } = owners;
const symbol = "BTC-USD";

/** What an account changed of an instrument, on every way to a price: one row, two while the sources are silent. */
export function marketCases(rows: number): Case[] {
  const [early, late] = [bookedAt(rows / 4, rows).getTime(), bookedAt(rows, rows).getTime()];
  const read = (accountId: string, atMs: number): Case["ask"] => {
    return ({ marketData }) => marketData.prices.read({ accountId, symbol, atMs });
  };
  const depth = 5;
  return [
    { name: "prices at a quarter of the changes", answers: 0, ask: read(huge.accountId, early) },
    { name: "prices after all changes, whose sources are silent", answers: 0, ask: read(huge.accountId, late) },
    { name: "prices before all changes", answers: 0, ask: read(huge.accountId, 0) },
    { name: "prices of an account with few changes", answers: 0, ask: read(small.accountId, late) },
    { name: "prices of an account with none", answers: 0, ask: read(none.accountId, late) },
    {
      name: "the first change of an instrument",
      answers: 1,
      ask: ({ marketData }) => marketData.prices.ownSince({ accountId: huge.accountId, symbol }),
    },
    {
      name: "the first change of an instrument that none was made of",
      answers: 0,
      ask: ({ marketData }) => marketData.prices.ownSince({ accountId: none.accountId, symbol }),
    },
    {
      name: "instruments",
      answers: 6,
      ask: ({ marketData }) => marketData.instruments.page({ accountId: huge.accountId, limit }),
    },
    {
      name: "quotes",
      answers: 0,
      looksAt: 6,
      ask: ({ marketData }) => marketData.quotes.list({ accountId: huge.accountId, limit }),
    },
    {
      name: "an order book",
      answers: 1,
      ask: ({ marketData }) => marketData.orderBooks.find({ accountId: huge.accountId, symbol, depth }),
    },
    {
      name: "bars of a minute, which was changed sixty times",
      answers: 0,
      looksAt: 120,
      ask: ({ marketData }) =>
        marketData.bars.list({
          accountId: huge.accountId,
          symbol,
          timeframe: "1m",
          limit: 1,
          end: bookedAt(rows / 4, rows).toISOString(),
        }),
    },
    {
      name: "a change of a price",
      answers: null,
      looksAt: 3,
      ask: undone(({ marketData }) =>
        marketData.sandboxPrices.set({ accountId: huge.accountId, symbol, halted: true }),
      ),
    },
  ];
}
