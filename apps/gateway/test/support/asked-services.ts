import type { Schemas } from "@gateway/contract";
import type { ServerResponse } from "node:http";
import { answerJson, type TestUpstream } from "./test-upstream.ts";

const roundMs = 10_000;

/** A round in the document's shape, at the last time of a round until then. */
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

/** Plays a market data service that fits the document, with the changes of a test. */
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

/** Sends these bytes and headers. */
export const sends =
  (status: number, headers: Record<string, string>, text: string | Buffer = ""): AskedFault["answer"] =>
  (res) =>
    void res.writeHead(status, headers).end(text);
export const asJson = { "Content-Type": "application/json" };
const html = "<html></html>";

/** A refusal in the envelope. */
export const refuses =
  (status: number, code: string): AskedFault["answer"] =>
  (res) =>
    answerJson(res, status, { error: { code, message: "No." }, meta: {} });

const [timeout, unavailable, wrong] = ["UPSTREAM_TIMEOUT", "UPSTREAM_UNAVAILABLE", "UPSTREAM_INVALID_ANSWER"] as const;
const rows: [what: string, code: AskedFault["code"], answer: AskedFault["answer"]][] = [
  ["silence", timeout, () => {}],
  ["half of an answer, and then silence", timeout, (res) => void res.writeHead(200, asJson).write('{"data":')],
  ["a reset", unavailable, (res) => res.socket?.resetAndDestroy()],
  ["500", unavailable, sends(500, {})],
  ["429", unavailable, refuses(429, "RATE_LIMITED")],
  ["HTML", wrong, sends(200, { "Content-Type": "text/html" }, html)],
  ["HTML that says to be JSON", wrong, sends(200, asJson, html)],
  ["404 of something in front of it", wrong, (res) => answerJson(res, 404, { message: "no route" })],
  ["a refusal", wrong, refuses(400, "INVALID_REQUEST")],
  ["something else", wrong, (res) => answerJson(res, 200, { data: { hello: "world" }, meta: {} })],
];

/** Faults of any external service that answers needs. Each ends within the timeout, and with this code. */
export const askedFaults: readonly AskedFault[] = rows.map(([what, code, answer]) => ({ what, code, answer }));
