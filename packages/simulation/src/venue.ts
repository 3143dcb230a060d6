import { endsByPrice, venueFactIds } from "@gateway/platform/execution";
import { termsOf, type InstrumentTerms } from "@gateway/platform/market-data";
import type { PlanFacts, PlannedFact, ReadMarket, Venue, VenueBook, VenueFact, VenueOrder } from "@gateway/ports";
import { isWithinLimit, takeOf, type Taken } from "./fill-order.ts";

const minuteMs = 60_000;
/** So far ahead is looked for the price that fills what rests; then the venue is asked again. */
export const lookAheadMinutes = 1_440;

/**
 * So often an order is planned anew, at most, because its prices were changed meanwhile; then it is tried again later.
 */
const mostChanges = 10;

/**
 * A venue that keeps nothing. What an order takes at once follows from the book of the moment at which it was handed
 * over; what rests is filled whole, at its limit, in the first minute to come whose book reaches it: one fact is
 * planned, and a cancelation or a replacement that comes before takes its place. What it does not trade, or not at such
 * a price, it rejects.
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
   * By the prices there are when it is written down: who changes them after that withdraws it, and who did before is
   * found here.
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
    // What goes on is asked of when it has taken over.
    replace: ({ replaced, order }) =>
      tradedTerms(order) ? endAs(replaced, "replaced") : plan(order, [planRejected(order)]),
    reconcile: ({ order, atMs }) => planByPrice(order, atMs),
  };
}

/** The same whenever it is asked: the book of a time that has passed stays as it was. */
async function takeAtOnce(order: VenueOrder, terms: InstrumentTerms, { book }: ReadMarket): Promise<Taken> {
  const { accountId, symbol, submittedAtMs: atMs } = order;
  return takeOf(order, await book({ accountId, symbol, atMs, depth: 10 }), terms);
}

export function planTaken(order: VenueOrder, { fills, filledMinor, isFull }: Taken): PlannedFact[] {
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

/** The best prices of a minute to come. */
type MinuteBook = { timeMs: number; book: VenueBook };

type Resting = { terms: InstrumentTerms; taken: Taken; atMs: number; readBooks(): Promise<readonly MinuteBook[]> };

type BooksToCome = (
  of: Pick<VenueOrder, "accountId" | "symbol">,
  at: { atMs: number; changedAtMs: number | null },
) => Promise<readonly MinuteBook[]>;

/** All that rest are planned anew at one moment, by the same books: these are read once, until others are asked for. */
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

/** How what rests ends, as far as can be seen; null: not within the next day. */
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

/** The first minute to come whose best price is within its limit. */
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
 * Instruments of a market data service that is somebody else's may be others than the venue trades, or have prices of
 * other places.
 */
function tradedTerms({ symbol, limitPrice }: VenueOrder): InstrumentTerms | null {
  const terms = termsOf(symbol);
  const [, places = ""] = (limitPrice ?? "").split(".");
  return terms && (limitPrice === null || places.length === terms.priceScale) ? terms : null;
}
