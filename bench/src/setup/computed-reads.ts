import type { OperationId } from "@gateway/contract";

/**
 * What is computed when it is asked for, or read by more than one query: its bare counterpart calls the product's own operation. `path` as
 * Express spells it; `target` is what is asked.
 */
export type ComputedRead = { operation: OperationId; path: string; target: string };

const read = (operation: OperationId, path: string, target = path): ComputedRead => ({
  operation,
  path: `/api/v1/${path}`,
  target: `/api/v1/${target}`,
});

export const computedReads: readonly ComputedRead[] = [
  read("listInstruments", "instruments"),
  read("getInstrument", "instruments/:symbol", "instruments/BTC-USD"),
  read("listQuotes", "quotes"),
  read("listPrices", "prices"),
  read("listPriceFeeds", "price-feeds"),
  read("listPriceRounds", "price-feeds/:symbol/rounds", "price-feeds/BTC-USD/rounds"),
  read("getPriceRound", "price-feeds/:symbol/rounds/:roundId", "price-feeds/BTC-USD/rounds/{newest}"),
  read("listPositions", "positions"),
  read("getPosition", "positions/:currency", "positions/BTC"),
  read("getPortfolio", "portfolio"),
  read("listLedgerAccounts", "ledger-accounts"),
  read("getLedgerAccount", "ledger-accounts/:ledgerAccountId", "ledger-accounts/{newest}"),
];
