import type { Schemas } from "@gateway/contract";
import { parseDecimal, parseTimestamp } from "@gateway/kernel";
import type { AskedPrice } from "@gateway/ports";
import { askUpstream } from "./ask-upstream.ts";
import { holdList, type HoldData } from "./hold-data.ts";
import type { Upstream } from "./upstream.ts";
import { upstreamInvalidAnswer } from "./upstream-fault.ts";

const roundMs = 10_000;
const priceDecimals = 8;

/**
 * Prices of an external oracle at a moment, by symbol. Symbols without a price are left out. Called outside
 * transactions.
 */
export async function readUpstreamPrices(
  upstream: Pick<Upstream, "send">,
  hold: HoldData,
  asked: { accountId: string; symbols: readonly string[]; atMs: number; requestId: string },
): Promise<Map<string, AskedPrice>> {
  const { accountId, requestId, symbols, atMs } = asked;
  const query = new URLSearchParams({ symbols: symbols.join(","), at: new Date(atMs).toISOString() });
  const target = `/api/v1/prices?${query.toString()}`;
  const data = await askUpstream(upstream, { accountId, requestId, target, by: "portfolio" });
  const found = new Map<string, AskedPrice>();
  for (const round of holdList(hold, "PriceRound", data)) {
    if (found.has(round.symbol) || !symbols.includes(round.symbol)) {
      throw upstreamInvalidAnswer("A round has a symbol that was not requested, or that occurs twice.");
    }
    found.set(round.symbol, priceOf(round, atMs));
  }
  return found;
}

/** A round has the number of its time. A round that was published later was not in force. */
function priceOf({ price, roundId, publishedAt }: Schemas["PriceRound"], atMs: number): AskedPrice {
  const publishedAtMs = parseTimestamp(publishedAt).getTime();
  if (roundId !== Math.floor(publishedAtMs / roundMs) || publishedAtMs > atMs) {
    throw upstreamInvalidAnswer(
      "A round was published after the moment that was asked for, or has not the number of its time.",
    );
  }
  if (parseDecimal(price, priceDecimals) === 0n) {
    throw upstreamInvalidAnswer("A round has a price of nothing.");
  }
  return { price, roundId, publishedAtMs };
}
