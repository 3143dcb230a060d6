/**
 * Exact arithmetic on decimal numbers. A decimal string of at most `scale` places is an integer of 10^-scale, so prices
 * are never floating-point numbers.
 */

export type Rounding = "down" | "up" | "half-even";

const form = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<places>\d+))?$/;

/**
 * `parseDecimal("64250.5", 2)` is 6425050n. Throws RangeError when the string is not a plain decimal number, or has
 * more places than that.
 */
export function parseDecimal(text: string, scale: number): bigint {
  const { sign = "", whole = "", places = "" } = form.exec(text)?.groups ?? {};
  if (whole === "" || places.length > scale) {
    throw new RangeError(`${JSON.stringify(text)} is not a decimal number with at most ${scale} places.`);
  }
  return BigInt(`${sign}${whole}${places.padEnd(scale, "0")}`);
}

/** Returns exactly `scale` places: `formatDecimal(6425050n, 2)` is "64250.50". */
export function formatDecimal(units: bigint, scale: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? "-" : ""}${whole}${scale > 0 ? `.${digits.slice(-scale)}` : ""}`;
}

/**
 * The integer next to `numerator / denominator`: "down" and "up" go toward minus and plus infinity. The denominator is
 * positive.
 */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  const rest = numerator % denominator;
  const floor = rest < 0n ? quotient - 1n : quotient;
  const above = numerator - floor * denominator;
  if (above === 0n || rounding === "down") {
    return floor;
  }
  if (rounding === "up") {
    return floor + 1n;
  }
  const twice = 2n * above;
  return twice > denominator || (twice === denominator && floor % 2n !== 0n) ? floor + 1n : floor;
}
