import { decimalPlaces, divide, parseDecimal, type Currency } from "@gateway/kernel";

/** Quantities are minor units of the base, prices integers of 10^-priceScale, amounts minor units of the quote. */
export type Terms = { base: Currency; quote: Currency; priceScale: number };

export type Side = "buy" | "sell";
export type Liquidity = "maker" | "taker";

/** Hundredths of a percent of the notional, in the quote. */
const feeBps = { maker: 10n, taker: 20n } as const satisfies Record<Liquidity, bigint>;
const dearest = feeBps.taker;
const bpsOfAll = 10_000n;

/** Sums of fills before any rounding; `notionalMinor` and `feeMinor` turn them into minor units. */
export type ExactSums = { notional: bigint; fee: bigint };

export const noSums: ExactSums = { notional: 0n, fee: 0n };

export type FilledPart = { quantityMinor: number; price: string; liquidity: Liquidity };

export type Charge = { notionalMinor: bigint; feeMinor: bigint; sums: ExactSums };

export function priceUnits(price: string, { priceScale }: Pick<Terms, "priceScale">): bigint {
  return parseDecimal(price, priceScale);
}

export function addFill(sums: ExactSums, terms: Terms, { quantityMinor, price, liquidity }: FilledPart): ExactSums {
  return addSums(sums, exactly(BigInt(quantityMinor) * priceUnits(price, terms), feeBps[liquidity]));
}

function addSums(one: ExactSums, other: ExactSums): ExactSums {
  return { notional: one.notional + other.notional, fee: one.fee + other.fee };
}

/** The cost of all fills so far, rounded up, less the cost before this fill: never more than was held for them. */
export function chargeBuy(before: ExactSums, terms: Terms, fill: FilledPart): Charge {
  const sums = addFill(before, terms, fill);
  return {
    notionalMinor: notionalMinor(sums, terms, "up") - notionalMinor(before, terms, "up"),
    feeMinor: feeMinor(sums, terms) - feeMinor(before, terms),
    sums,
  };
}

/** The proceeds of a sell, rounded down over all fills, less a fee of at most that. A fee that never fits is waived. */
export function settleSell(before: ExactSums & { chargedFeeMinor: bigint }, terms: Terms, fill: FilledPart): Charge {
  const sums = addFill(before, terms, fill);
  const proceeds = notionalMinor(sums, terms, "down") - notionalMinor(before, terms, "down");
  const due = feeMinor(sums, terms) - before.chargedFeeMinor;
  return { notionalMinor: proceeds, feeMinor: due < proceeds ? due : proceeds, sums };
}

/** The maximum charge for a limit order: in the quote for a buy, in the base for a sell. */
export function holdOfLimit(side: Side, terms: Terms, { quantityMinor, price }: Limit): bigint {
  return side === "sell" ? BigInt(quantityMinor) : costOf(addWorst(noSums, terms, { quantityMinor, price }), terms);
}

type Limit = { quantityMinor: number; price: string };

/** The part of a market buy's cost, which includes the fee, that the venue may spend. */
export function spendOf(quoteAmountMinor: number): number {
  return Number(divide(BigInt(quoteAmountMinor) * bpsOfAll, bpsOfAll + dearest, "down"));
}

/** `sums` covers all fills since the first order of the chain, so their rounding up is not charged again. */
export type Replaced = {
  limitPrice: string;
  quantityMinor: number;
  filledMinor: number;
  /** The amount that is held for it and not charged. */
  heldMinor: bigint;
  sums: ExactSums;
};

/** The hold in addition to that of the replaced order. Both cost least or most when none or all of it is filled. */
export function holdOfReplacement(
  side: Side,
  terms: Terms,
  { replaced, price, totalMinor }: { replaced: Replaced; price: string; totalMinor: number },
): bigint {
  const rest = totalMinor - replaced.filledMinor;
  const open = replaced.quantityMinor - replaced.filledMinor;
  if (side === "sell") {
    return positive(BigInt(rest) - replaced.heldMinor);
  }
  const filledFirst = open < rest ? open : rest;
  const costs = [0, filledFirst].map((first) => {
    const old = addWorst(replaced.sums, terms, { quantityMinor: first, price: replaced.limitPrice });
    return costBetween(replaced.sums, addWorst(old, terms, { quantityMinor: rest - first, price }), terms);
  });
  return costs.map((cost) => positive(cost - replaced.heldMinor)).reduce((one, other) => (one > other ? one : other));
}

export function holdOfRest(
  side: Side,
  terms: Terms,
  { sums, quantityMinor, price }: { sums: ExactSums } & Limit,
): bigint {
  return side === "sell"
    ? BigInt(quantityMinor)
    : costBetween(sums, addWorst(sums, terms, { quantityMinor, price }), terms);
}

/** The mean of all fills, half-even, with the places of the instrument; null without any. */
export function averageUnits({ notional }: Pick<ExactSums, "notional">, filledMinor: number): bigint | null {
  return filledMinor === 0 ? null : divide(notional, BigInt(filledMinor), "half-even");
}

/** Whether fills with this sum are within the amount that a venue may spend. */
export function isWithin({ notional }: Pick<ExactSums, "notional">, terms: Terms, spendMinor: number): boolean {
  const { numerator, denominator } = ratioOf(terms);
  return notional * numerator <= BigInt(spendMinor) * denominator;
}

function notionalMinor({ notional }: Pick<ExactSums, "notional">, terms: Terms, rounding: "up" | "down"): bigint {
  const { numerator, denominator } = ratioOf(terms);
  return divide(notional * numerator, denominator, rounding);
}

function feeMinor({ fee }: ExactSums, terms: Terms): bigint {
  const { numerator, denominator } = ratioOf(terms);
  return divide(fee * numerator, denominator * bpsOfAll, "up");
}

function costOf(sums: ExactSums, terms: Terms): bigint {
  return notionalMinor(sums, terms, "up") + feeMinor(sums, terms);
}

function costBetween(before: ExactSums, after: ExactSums, terms: Terms): bigint {
  return costOf(after, terms) - costOf(before, terms);
}

function addWorst(sums: ExactSums, terms: Terms, { quantityMinor, price }: Limit): ExactSums {
  return addSums(sums, exactly(BigInt(quantityMinor) * priceUnits(price, terms), dearest));
}

function exactly(notional: bigint, bps: bigint): ExactSums {
  return { notional, fee: notional * bps };
}

/** Minor units of the quote for one unit of quantity × price. */
function ratioOf({ base, quote, priceScale }: Terms): { numerator: bigint; denominator: bigint } {
  return {
    numerator: 10n ** BigInt(decimalPlaces[quote]),
    denominator: 10n ** BigInt(decimalPlaces[base] + priceScale),
  };
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
