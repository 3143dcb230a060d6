import pg from "pg";

const int8 = 20;
const int8Array = 1016;

// The published types of `arrayParser` describe an older version of it.
const arrayParser = pg.types.arrayParser as unknown as {
  create<T>(text: string, parse: (element: string) => T): { parse(): T[] };
};

/** A bigint that a JavaScript number cannot hold exactly. It is refused, never rounded. */
export class UnsafeIntegerError extends RangeError {
  override name = "UnsafeIntegerError";
}

/**
 * How column values become JavaScript values, per client: nothing global is changed. `bigint` and `count` arrive as
 * numbers, and a value beyond 2^53 - 1 fails the query. `numeric` (a `sum` of bigints) stays a string: cast it to bigint.
 */
export const typeParsers: pg.CustomTypesConfig = {
  // The parsers of `pg` are typed for each literal oid; this one table serves them all.
  getTypeParser: ((oid: number, format?: "text" | "binary") => {
    if (format !== "binary" && oid === int8) {
      return parseSafeInteger;
    }
    if (format !== "binary" && oid === int8Array) {
      return parseSafeIntegers;
    }
    return pg.types.getTypeParser(oid, format);
  }) as pg.CustomTypesConfig["getTypeParser"],
};

/** Refuses integers that would be rounded on their way in. Doubles with a fraction are none of our columns' business. */
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

function unsafe(value: number | bigint | string): UnsafeIntegerError {
  return new UnsafeIntegerError(`The integer ${value} is beyond 2^53 - 1 and cannot be held exactly.`);
}
