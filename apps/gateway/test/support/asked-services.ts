import type { Schemas } from "@gateway/contract";
import type { ServerResponse } from "node:http";
import { answerJson, type TestUpstream } from "./test-upstream.ts";

const roundMs = 10_000;

/** A round as the document has it, of the last moment with a round until then. */
export function roundAt(symbol: string, price: string, atMs: number): Schemas["PriceRound"] {
  const roundId = Math.floor(atMs / roundMs);
  const at = new Date(roundId * roundMs).toISOString();
  return {
    ...{ symbol, roundId, price, confidence: "0.00000000", publishedAt: at, stale: false, signature: "a.b.c" },
    sources: ["alpha", "bravo", "charlie"].map((name) => ({ name, price, at, used: true })),
  };
}

export function instrumentNamed(symbol: string): Schemas["Instrument"] {
  const [base, quote] = symbol.split("-") as [Schemas["Currency"], Schemas["Currency"]];
  return {
    ...{ symbol, base, quote, status: "trading", priceScale: 2, tickSize: "0.01" },
    ...{ minimumQuantity: 1_000, maximumQuantity: 10_000_000_000, quantityStep: 1_000 },
  };
}

export function quoteAt(symbol: string, atMs: number): Schemas["Quote"] {
  const quantities = { bidQuantity: 1_000, askQuantity: 1_000 };
  return { symbol, bid: "49999.00", ask: "50001.00", ...quantities, at: new Date(atMs).toISOString() };
}

/** A market data service as the document wants it, with what a test changes. */
export function answerMarket(
  upstream: TestUpstream,
  change: { instrument?: object; quotes?: (symbol: string) => unknown } = {},
): void {
  const { instrument = {}, quotes = (symbol: string) => [quoteAt(symbol, Date.now())] } = change;
  upstream.answer = (res, { target }) => {
    const { pathname, searchParams } = new URL(target, upstream.url);
    const meta = { hasMore: false, nextCursor: null };
    if (pathname === "/api/v1/quotes") {
      return answerJson(res, 200, { data: quotes(searchParams.get("symbols") ?? ""), meta });
    }
    const [symbol = ""] = pathname.split("/").slice(-1);
    return symbol === "BTC-USD"
      ? answerJson(res, 200, { data: { ...instrumentNamed(symbol), ...instrument }, meta: {} })
      : answerJson(res, 404, { error: { code: "NOT_FOUND", message: "No." }, meta: {} });
  };
}

export type AskedFault = {
  what: string;
  code: "UPSTREAM_UNAVAILABLE" | "UPSTREAM_INVALID_ANSWER" | "UPSTREAM_TIMEOUT";
  answer(res: ServerResponse): void;
};

const json = { "Content-Type": "application/json" };

/** What any service that is asked may come to do; each within the timeout, and with this code. */
export const askedFaults: readonly AskedFault[] = [
  { what: "silence", code: "UPSTREAM_TIMEOUT", answer: () => {} },
  {
    what: "half of an answer, and then silence",
    code: "UPSTREAM_TIMEOUT",
    answer: (res) => void res.writeHead(200, json).write('{"data":'),
  },
  { what: "a reset", code: "UPSTREAM_UNAVAILABLE", answer: (res) => res.socket?.resetAndDestroy() },
  { what: "500", code: "UPSTREAM_UNAVAILABLE", answer: (res) => void res.writeHead(500).end() },
  {
    what: "429",
    code: "UPSTREAM_UNAVAILABLE",
    answer: (res) => answerJson(res, 429, { error: { code: "RATE_LIMITED", message: "No." }, meta: {} }),
  },
  {
    what: "HTML",
    code: "UPSTREAM_INVALID_ANSWER",
    answer: (res) => void res.writeHead(200, { "Content-Type": "text/html" }).end("<html></html>"),
  },
  {
    what: "HTML that says to be JSON",
    code: "UPSTREAM_INVALID_ANSWER",
    answer: (res) => void res.writeHead(200, json).end("<html></html>"),
  },
  {
    what: "404 of something in front of it",
    code: "UPSTREAM_INVALID_ANSWER",
    answer: (res) => answerJson(res, 404, { message: "no route" }),
  },
  {
    what: "a refusal",
    code: "UPSTREAM_INVALID_ANSWER",
    answer: (res) => answerJson(res, 400, { error: { code: "INVALID_REQUEST", message: "No." }, meta: {} }),
  },
  {
    what: "something else",
    code: "UPSTREAM_INVALID_ANSWER",
    answer: (res) => answerJson(res, 200, { data: { hello: "world" }, meta: {} }),
  },
];
