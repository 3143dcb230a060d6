export { getInstrument } from "./get-instrument.ts";
export { getOrderBook } from "./get-order-book.ts";
export { listBars } from "./list-bars.ts";
export { listInstruments } from "./list-instruments.ts";
export { listQuotes } from "./list-quotes.ts";
export { listTrades } from "./list-trades.ts";
export { setSandboxPrice } from "./set-sandbox-price.ts";
