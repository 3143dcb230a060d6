import type { OperationsOf } from "../operation.ts";
import { getInstrument } from "./get-instrument.ts";
import { getOrderBook } from "./get-order-book.ts";
import { listBars } from "./list-bars.ts";
import { listInstruments } from "./list-instruments.ts";
import { listQuotes } from "./list-quotes.ts";
import { listTrades } from "./list-trades.ts";
import { setSandboxPrice } from "./set-sandbox-price.ts";

export const marketDataOperations = {
  getInstrument,
  getOrderBook,
  listBars,
  listInstruments,
  listQuotes,
  listTrades,
  setSandboxPrice,
} satisfies OperationsOf<"marketData">;
