import { operations, problemCodes } from "@gateway/contract";
import { instruments } from "@gateway/platform/market-data";
import { METHODS } from "node:http";

const symbols: ReadonlySet<string> = new Set(instruments.map(({ symbol }) => symbol));
const codes: ReadonlySet<string> = new Set(Object.keys(problemCodes));
const operationIds: ReadonlySet<string> = new Set(Object.keys(operations));
const methods: ReadonlySet<string> = new Set(METHODS);

/** Those of our own market data. An external service may have others, which are not kept. */
export const isKnownSymbol = (symbol: string): boolean => symbols.has(symbol);
const isNothing = (): boolean => false;

/** Values that are kept of parameters without listed values. A cursor is never kept, because it opens a list. */
export const knownValues: Readonly<Record<string, (value: string) => boolean>> = {
  symbol: isKnownSymbol,
  symbols: isKnownSymbol,
  code: (value) => codes.has(value),
  operationId: (value) => operationIds.has(value),
  method: (value) => methods.has(value),
  cursor: isNothing,
  after: isNothing,
  externalId: isNothing,
  reference: isNothing,
  cause: isNothing,
};
