import type { Currency } from "@gateway/kernel";
import type { SealedChange } from "../ledger/index.ts";
import type { Portfolio } from "./portfolio-row.ts";
import type { PriceReader } from "./prices.ts";
import { flowOf, projectTransaction } from "./project.ts";
import { valuePortfolio, type Value } from "./value.ts";

export const dayMs = 24 * 60 * 60 * 1000;

export function nextMidnightMs(afterMs: number): number {
  return afterMs - (afterMs % dayMs) + dayMs;
}

export type NewValuation = Value & { id: string; previousId: string | null; atMs: number; ledgerSequence: number };

export type Counted = { after: Portfolio; valuations: NewValuation[]; isCut: boolean };

const mostDays = 50;

/** Also values each day that ends in between, and with `untilMs` those until then. `isCut`: more days remain. */
export async function countOn(
  before: Portfolio,
  {
    changes,
    untilMs,
    prices,
    createId,
  }: { changes: readonly SealedChange[]; untilMs: number | null; prices: PriceReader; createId(): string },
): Promise<Counted> {
  const counted: Counting = { after: before, valuations: [], days: 0 };
  for (const change of changes) {
    if (!(await valueDays(counted, { untilMs: change.createdAt.getTime() - 1, prices, createId }))) {
      return resultOf(counted, { isCut: true });
    }
    const at = await pricesOf(change, prices);
    counted.after = {
      ...counted.after,
      ...projectTransaction(counted.after, change, (currency) => at.get(currency) ?? null),
      nextDailyMs: counted.after.nextDailyMs ?? nextMidnightMs(change.createdAt.getTime()),
    };
  }
  const isDone = untilMs === null || (await valueDays(counted, { untilMs, prices, createId }));
  return resultOf(counted, { isCut: !isDone });
}

/** `days` that have ended in between, including those without a valuation. */
type Counting = Omit<Counted, "isCut"> & { days: number };

function resultOf({ after, valuations }: Counting, { isCut }: { isCut: boolean }): Counted {
  return { after, valuations, isCut };
}

/** Values the days that end by then; false when these are too many. */
async function valueDays(
  counted: Counting,
  { untilMs, prices, createId }: { untilMs: number; prices: PriceReader; createId(): string },
): Promise<boolean> {
  while (counted.after.nextDailyMs !== null && counted.after.nextDailyMs <= untilMs) {
    if (counted.days >= mostDays) {
      return false;
    }
    counted.days += 1;
    const { after } = counted;
    const atMs = counted.after.nextDailyMs;
    const value = valuePortfolio(after, await prices.allAt(atMs, heldIn(after)), after.valued);
    counted.after = { ...after, nextDailyMs: atMs + dayMs };
    if (value) {
      const id = createId();
      counted.after.valued = { id, atMs, equity: value.equity, flow: value.flow };
      counted.valuations.push({ ...value, id, previousId: after.valued.id, atMs, ledgerSequence: after.sequence });
    }
  }
  return true;
}

export function heldIn({ positions }: Pick<Portfolio, "positions">): Currency[] {
  return [...positions].flatMap(([currency, { quantity }]) => (quantity === 0n ? [] : [currency]));
}

export async function pricesOf(
  { changes, createdAt }: SealedChange,
  prices: PriceReader,
): Promise<ReadonlyMap<Currency, string>> {
  const found = new Map<Currency, string>();
  for (const change of changes) {
    const price = flowOf(change) === 0n ? null : await prices.at(change.currency, createdAt.getTime());
    if (price) {
      found.set(change.currency, price.unitPrice);
    }
  }
  return found;
}
