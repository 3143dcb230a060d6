import type { Schemas } from "@gateway/contract";
import type { PriceFeed } from "./price-feed.ts";
import type { PriceRound } from "./price-round.ts";
import type { PriceSigningKey } from "./price-signing-key.ts";
import { isStale } from "./publish-rounds.ts";

export function presentPriceFeed(feed: PriceFeed): Schemas["PriceFeed"] {
  const { symbol, decimals, heartbeatSeconds, deviationBps, minimumSources } = feed;
  return { symbol, decimals, heartbeatSeconds, deviationBps, minimumSources };
}

/** `stale` is computed at the time of the response. It is the only part that changes. */
export function presentPriceRound(round: PriceRound, nowMs: number): Schemas["PriceRound"] {
  return {
    symbol: round.symbol,
    roundId: round.roundId,
    price: round.price,
    confidence: round.confidence,
    sources: round.sources.map(({ name, price, atMs, used }) => ({ name, price, at: timestampOf(atMs), used })),
    publishedAt: timestampOf(round.publishedAtMs),
    ...(round.simulatedFor !== undefined && { simulatedFor: round.simulatedFor }),
    stale: isStale(round.publishedAtMs, nowMs),
    signature: round.signature,
  };
}

/** A JWK (RFC 7517) as it is, so that a list of them is a key set. */
export function presentPriceSigningKey({ id, x, createdAt, retiredAt }: PriceSigningKey): Schemas["PriceSigningKey"] {
  return {
    kid: id,
    kty: "OKP",
    crv: "Ed25519",
    x,
    alg: "EdDSA",
    use: "sig",
    createdAt: createdAt.toISOString(),
    retiredAt: retiredAt?.toISOString() ?? null,
  };
}

function timestampOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
