import { divide, type Currency } from "@gateway/kernel";
import type { CurrencyChange, SealedChange } from "../ledger/index.ts";
import { dollarsOfCents, worthOf } from "./dollars.ts";

/** The position in one currency, over all wallets. Quantities are in its minor units, money in 10^-18 dollars. */
export type PositionState = {
  quantity: bigint;
  pending: bigint;
  cost: bigint;
  realized: bigint;
};

export type PortfolioState = {
  /** Sequence of the last sealed ledger transaction that it includes; 0: none. */
  sequence: number;
  /** Everything that came into the account less everything that left it, each valued at its time. */
  netFlow: bigint;
  positions: ReadonlyMap<Currency, PositionState>;
};

/** Dollars for a whole unit at the time of the transaction; null when there was no price. */
export type UnitPrice = (currency: Exclude<Currency, "USD">) => string | null;

export const emptyPortfolio: PortfolioState = { sequence: 0, netFlow: 0n, positions: new Map() };

const emptyPosition: PositionState = { quantity: 0n, pending: 0n, cost: 0n, realized: 0n };

/**
 * The positions after one more sealed ledger transaction, without I/O. An incoming amount enters at the price of its
 * time. An outgoing one leaves at its average cost and realizes the difference. A trade, by its notional, and a fee do
 * the same. So the cost less what is realized is the net flow, to the last digit. An amount that came in without a
 * price has cost nothing.
 */
export function projectTransaction(
  state: PortfolioState,
  { sequence, id, changes }: SealedChange,
  unitPrice: UnitPrice,
): PortfolioState {
  if (sequence !== state.sequence + 1) {
    throw new Error(`The ledger transaction ${id} has the sequence ${sequence}, and ${state.sequence} were counted.`);
  }
  const positions = new Map(state.positions);
  let { netFlow } = state;
  const notional = notionalOf(id, changes);
  for (const change of changes) {
    const { currency, owned, pending, venue, fees } = change;
    if ([owned, pending, venue, fees].every((amount) => amount === 0n)) {
      continue;
    }
    const flow = flowOf(change);
    const flowWorth = flow === 0n ? 0n : worthAt(currency, flow, unitPrice);
    const before = positions.get(currency) ?? emptyPosition;
    const tradedWorth = currency === "USD" ? dollarsOfCents(-venue) : notional.ofOther;
    const moves = [
      { quantity: -venue, worth: venue === 0n ? 0n : tradedWorth },
      { quantity: flow, worth: flowWorth },
      { quantity: -fees, worth: 0n },
    ];
    // Incoming amounts first, so that outgoing ones have a cost.
    const inOrder = moves.toSorted((one, other) => compare(other.quantity, one.quantity));
    const after = inOrder.reduce((position, one) => moveQuantity(position, one), before);
    const realized = after.realized + (currency === "USD" ? notional.ofNothing : 0n);
    positions.set(currency, { ...after, realized, pending: before.pending + pending });
    netFlow += flowWorth;
  }
  return { sequence, netFlow, positions };
}

/** The amount that came into the account or left it: the change of what wallets own, without trades and fees. */
export function flowOf({ owned, venue, fees }: CurrencyChange): bigint {
  return owned + venue + fees;
}

/** `worth` has the sign of `quantity`. It can be 0 for a trade. */
function moveQuantity(
  position: PositionState,
  { quantity, worth }: { quantity: bigint; worth: bigint },
): PositionState {
  if (quantity >= 0n) {
    return { ...position, quantity: position.quantity + quantity, cost: position.cost + worth };
  }
  const cost = position.quantity === 0n ? 0n : divide(position.cost * -quantity, position.quantity, "half-even");
  return {
    ...position,
    quantity: position.quantity + quantity,
    cost: position.cost - cost,
    realized: position.realized - worth - cost,
  };
}

function worthAt(currency: Currency, quantity: bigint, unitPrice: UnitPrice): bigint {
  if (currency === "USD") {
    return dollarsOfCents(quantity);
  }
  const price = unitPrice(currency);
  return price === null ? 0n : worthOf(quantity, price, currency);
}

/** The other side of a trade, with its sign. A small fill may cost no minor unit, or bring dollars for none. */
function notionalOf(id: string, changes: readonly CurrencyChange[]): { ofOther: bigint; ofNothing: bigint } {
  const traded = changes.filter(({ venue }) => venue !== 0n);
  const others = traded.filter(({ currency }) => currency !== "USD");
  if (others.length > 1) {
    throw new Error(`In the ledger transaction ${id} more than one currency was traded for dollars.`);
  }
  const dollars = dollarsOfCents(traded.find(({ currency }) => currency === "USD")?.venue ?? 0n);
  return others.length === 1 ? { ofOther: dollars, ofNothing: 0n } : { ofOther: 0n, ofNothing: -dollars };
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other);
}
