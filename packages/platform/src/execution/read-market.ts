import { invalidField, Problem } from "@gateway/contract";
import type { SourcePrice } from "@gateway/ports";
import type { Instrument } from "../market-data/index.ts";
import type { OrderDeps } from "./order.ts";
import type { OrderType } from "./tables.ts";

/** A market order is filled at any price, so this number of sources must have reported one within this time. */
const freshForMs = 30_000;
const minimumSources = 3;

/** Refuses an unknown symbol, a halt, and a market order without a current price. */
export async function readMarket(
  { instruments, readings }: Pick<OrderDeps, "instruments" | "readings">,
  { accountId, symbol, type }: { accountId: string; symbol: string; type: OrderType },
): Promise<Instrument> {
  const instrument = await instruments.find({ accountId, symbol });
  if (!instrument) {
    throw invalidField("symbol", "is not an instrument; list them with GET /api/v1/instruments");
  }
  if (instrument.status === "halted") {
    const message = `The instrument ${symbol} is halted and takes no orders. Try again when it trades.`;
    throw new Problem("INSTRUMENT_HALTED", message);
  }
  if (
    type === "market" &&
    !isFresh(await readings.read<number | null>({ accountId, kind: "price", subject: symbol }))
  ) {
    throw new Problem(
      "PRICE_STALE",
      `The last prices of ${symbol} are too old for a market order. Try again, or send a limit order.`,
    );
  }
  return instrument;
}

/** `ageMs`: the age of the price when it was read; null: there was none. */
export function isFresh(ageMs: number | null): boolean {
  return ageMs !== null && ageMs <= freshForMs;
}

/** Age in ms of the oldest among the newest prices of `minimumSources` sources; null: there are too few. */
export function ageOfPrices(said: readonly Pick<SourcePrice, "atMs">[], atMs: number): number | null {
  const oldest = said.map((one) => one.atMs).toSorted((one, other) => other - one)[minimumSources - 1];
  return oldest === undefined ? null : atMs - oldest;
}
