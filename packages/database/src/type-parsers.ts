import pg from "pg";

const int8 = 20;
const int8Array = 1016;
const timestamptz = 1184;

// The published types of `arrayParser` describe an older version of it.
const arrayParser = pg.types.arrayParser as unknown as {
  create<T>(text: string, parse: (element: string) => T): { parse(): T[] };
};

/** A bigint that a JavaScript number cannot hold exactly. It is refused, never rounded. */
export class UnsafeIntegerError extends RangeError {
  override name = "UnsafeIntegerError";
}

/** Per client. A `bigint` beyond 2^53 - 1 fails the query; a `numeric` stays a string. */
export const typeParsers: pg.CustomTypesConfig = {
  // The parsers of `pg` are typed for each literal oid; this one table serves them all.
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    (format === "binary" ? undefined : ownParsers.get(oid)) ??
    pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig["getTypeParser"],
};

const ownParsers = new Map<number, (text: string) => unknown>([
  [int8, parseSafeInteger],
  [int8Array, parseSafeIntegers],
  [timestamptz, parseTime],
]);

/** Refuses integers that would be rounded on their way in. */
export function assertSafeParameters(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw unsafe(value);
    }
    if (typeof value === "bigint" && !Number.isSafeInteger(Number(value))) {
      throw unsafe(value);
    }
  }
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw unsafe(text);
  }
  return value;
}

function parseSafeIntegers(text: string): unknown {
  return arrayParser.create(text, parseSafeInteger).parse();
}

const parseAnyTime = pg.types.getTypeParser(timestamptz);
const hyphen = "-".charCodeAt(0);
const zero = "0".charCodeAt(0);

/** `2026-03-09 08:00:00.123456+00` is how Postgres writes most times in UTC. */
function parseTime(text: string): Date {
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  // `Date.UTC` takes the years up to 99 for those of the last century.
  if (text.charCodeAt(4) !== hyphen || !text.endsWith("+00") || year < 100) {
    return parseAnyTime(text);
  }
  const [month, day] = [twoDigits(text, 5), twoDigits(text, 8)];
  const [hours, minutes, seconds] = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)];
  const milliseconds = Number(text.slice(20, -3).slice(0, 3).padEnd(3, "0"));
  return new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds, milliseconds));
}

function twoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - zero) + text.charCodeAt(at + 1) - zero;
}

function unsafe(value: number | bigint | string): UnsafeIntegerError {
  return new UnsafeIntegerError(`The integer ${value} is beyond 2^53 - 1 and cannot be held exactly.`);
}
