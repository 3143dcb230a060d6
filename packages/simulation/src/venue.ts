import { endsByPrice, venueFactIds } from "@gateway/platform/execution";
import { termsOf, type InstrumentTerms } from "@gateway/platform/market-data";
import type { PlanFacts, PlannedFact, ReadMarket, Venue, VenueBook, VenueFact, VenueOrder } from "@gateway/ports";
import { isWithinLimit, takeOf, type Taken } from "./fill-order.ts";

const minuteMs = 60_000;
/** How far ahead the venue looks for the price that fills a resting order. It is called again after that time. */
export const lookAheadMinutes = 1_440;

/**
 * The maximum number of times that an order is planned again because its prices changed meanwhile. Then it is tried
 * again later.
 */
const mostChanges = 10;

/**
 * A venue without state. The immediate fills of an order follow from the book at the moment of its submission. A
 * resting order is filled completely, at its limit, in the first future minute whose book reaches it. One fact is
 * planned for it, which an earlier cancelation or replacement replaces. The venue rejects instruments that it does not
 * trade, and prices that it does not allow.
 */
export function createSimulatedVenue(planFacts: PlanFacts, readMarket: ReadMarket): Venue {
  const booksToCome = createBooksToCome(readMarket);
  const plan = ({ accountId }: VenueOrder, facts: readonly PlannedFact[]) => planFacts({ accountId, facts });
  const begin = async (
    order: VenueOrder,
    { terms, atMs, changedAtMs }: { terms: InstrumentTerms; atMs: number; changedAtMs: number | null },
  ): Promise<PlannedFact[]> => {
    const taken = await takeAtOnce(order, terms, readMarket);
    const facts = planTaken(order, taken);
    const readBooks = () => booksToCome(order, { atMs, changedAtMs });
    const end = taken.isFull ? null : await findEnd(order, { terms, taken, atMs, readBooks });
    return end ? [...facts, end] : facts;
  };
  /**
   * Plans by the current prices. A later change of prices withdraws the facts, and a change during the planning is
   * detected here.
   */
  const planByPrice = async (order: VenueOrder, atMs: number): Promise<void> => {
    const terms = tradedTerms(order);
    if (!terms) {
      return plan(order, [planRejected(order)]);
    }
    const { accountId, orderId } = order;
    const withdrawn = { port: "venue", factIds: [venueFactIds.end(orderId)], types: endsByPrice } as const;
    let changedAtMs = await readMarket.changedAt(order);
    for (let changes = 0; changes < mostChanges; changes += 1) {
      await planFacts({ accountId, facts: await begin(order, { terms, atMs, changedAtMs }), withdrawn });
      const lastMs = await readMarket.changedAt(order);
      if (lastMs === changedAtMs) {
        return;
      }
      changedAtMs = lastMs;
    }
    throw new Error(`The prices of ${order.symbol} change faster than the order ${orderId} is planned.`);
  };
  const endAs = async (order: VenueOrder, type: "canceled" | "replaced"): Promise<void> => {
    const terms = tradedTerms(order);
    const taken = terms && (await takeAtOnce(order, terms, readMarket));
    return plan(order, !taken || taken.isFull ? [] : [{ ...planEnd(order, type, taken), isInstead: true }]);
  };
  return {
    place: (order) => planByPrice(order, order.submittedAtMs),
    cancel: (order) => endAs(order, "canceled"),
    // The new order is reconciled once it has replaced the old one.
    replace: ({ replaced, order }) =>
      tradedTerms(order) ? endAs(replaced, "replaced") : plan(order, [planRejected(order)]),
    reconcile: ({ order, atMs }) => planByPrice(order, atMs),
  };
}

/** Returns the same result whenever it is called, because the book of a past time does not change. */
async function takeAtOnce(order: VenueOrder, terms: InstrumentTerms, { book }: ReadMarket): Promise<Taken> {
  const { accountId, symbol, submittedAtMs: atMs } = order;
  return takeOf(order, await book({ accountId, symbol, atMs, depth: 10 }), terms);
}

function planTaken(order: VenueOrder, { fills, filledMinor, isFull }: Taken): PlannedFact[] {
  const { orderId, submittedAtMs: executedAtMs } = order;
  const accepted = planNow(venueFactIds.accepted(orderId), { type: "accepted", orderId });
  const filled = fills.map(({ price, quantityMinor }, index): PlannedFact => {
    const isLast = isFull && index === fills.length - 1;
    const venueFillId = `${orderId}-${index + 1}`;
    const last = isLast ? { filledQuantityMinor: filledMinor } : null;
    const fact = { orderId, venueFillId, quantityMinor, price, liquidity: "taker", last, executedAtMs } as const;
    return planNow(venueFactIds.filled(venueFillId), { type: "filled", ...fact });
  });
  return [accepted, ...filled];
}

/** The best prices of a future minute. */
type MinuteBook = { timeMs: number; book: VenueBook };

type Resting = { terms: InstrumentTerms; taken: Taken; atMs: number; readBooks(): Promise<readonly MinuteBook[]> };

type BooksToCome = (
  of: Pick<VenueOrder, "accountId" | "symbol">,
  at: { atMs: number; changedAtMs: number | null },
) => Promise<readonly MinuteBook[]>;

/** All resting orders are planned again at one moment, with the same books, so the last books are kept. */
function createBooksToCome({ booksAhead }: ReadMarket): BooksToCome {
  let last: { key: string; books: readonly MinuteBook[] } | null = null;
  return async ({ accountId, symbol }, { atMs, changedAtMs }) => {
    const key = `${accountId} ${symbol} ${atMs} ${changedAtMs}`;
    if (last?.key === key) {
      return last.books;
    }
    const firstMs = atMs - (atMs % minuteMs) + minuteMs;
    const timesMs = Array.from({ length: lookAheadMinutes }, (_, minute) => firstMs + minute * minuteMs);
    const found = await booksAhead({ accountId, symbol, atMs, timesMs, depth: 1 });
    const books = found.map((book, index) => ({ timeMs: firstMs + index * minuteMs, book }));
    last = { key, books };
    return books;
  };
}

/** The end of a resting order, or null when it does not end within the next day. */
async function findEnd(order: VenueOrder, resting: Resting): Promise<PlannedFact | null> {
  const { taken, atMs } = resting;
  if (order.timeInForce === "ioc" || order.timeInForce === "fok") {
    return planEnd(order, "canceled", taken);
  }
  const untilMs = atMs + lookAheadMinutes * minuteMs;
  const crossesAtMs = await findCrossing(order, resting);
  const { expiresAtMs } = order;
  if (expiresAtMs !== null && expiresAtMs <= (crossesAtMs ?? untilMs)) {
    return { ...planEnd(order, "expired", taken), afterMs: Math.max(0, expiresAtMs - atMs) };
  }
  return crossesAtMs === null ? null : { ...planRest(order, taken, crossesAtMs), afterMs: crossesAtMs - atMs };
}

/** The first future minute whose best price is within the order's limit. */
async function findCrossing(
  order: VenueOrder,
  { terms, readBooks }: Pick<Resting, "terms" | "readBooks">,
): Promise<number | null> {
  const crossing = (await readBooks()).find(({ book }) => {
    const [best] = order.side === "buy" ? book.asks : book.bids;
    return best !== undefined && isWithinLimit(order, best.price, terms);
  });
  return crossing?.timeMs ?? null;
}

function planRest(order: VenueOrder, { filledMinor }: Taken, executedAtMs: number): PlannedFact {
  const { orderId, limitPrice, quantityMinor } = order;
  if (limitPrice === null || quantityMinor === null) {
    throw new Error(`The order ${orderId} is a market order, and does not rest.`);
  }
  return planNow(venueFactIds.end(orderId), {
    type: "filled",
    orderId,
    venueFillId: `${orderId}-rest`,
    quantityMinor: quantityMinor - filledMinor,
    price: limitPrice,
    liquidity: "maker",
    last: { filledQuantityMinor: quantityMinor },
    executedAtMs,
  });
}

function planEnd(
  { orderId }: VenueOrder,
  type: "canceled" | "expired" | "replaced",
  { filledMinor: filledQuantityMinor }: Taken,
): PlannedFact {
  return planNow(venueFactIds.end(orderId), { type, orderId, filledQuantityMinor });
}

function planRejected({ orderId }: VenueOrder): PlannedFact {
  return planNow(venueFactIds.rejected(orderId), { type: "rejected", orderId, code: "not_traded" });
}

function planNow(factId: string, fact: VenueFact): PlannedFact {
  return { port: "venue", factId, afterMs: 0, fact };
}

/**
 * An external market data service may have instruments that the venue does not trade, or prices with another number of
 * places.
 */
function tradedTerms({ symbol, limitPrice }: VenueOrder): InstrumentTerms | null {
  const terms = termsOf(symbol);
  const [, places = ""] = (limitPrice ?? "").split(".");
  return terms && (limitPrice === null || places.length === terms.priceScale) ? terms : null;
}
