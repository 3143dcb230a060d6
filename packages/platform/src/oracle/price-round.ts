import type { RoundSource } from "./decide-price.ts";
import { timeOfRound, type NewRound } from "./publish-rounds.ts";
import type { Sign } from "./price-signing-key.ts";

/** A price that was published, and that never changes. Prices are decimal strings with 8 places. */
export type PriceRound = {
  symbol: string;
  /** Its time, in tens of seconds since 1970. */
  roundId: number;
  price: string;
  /** How far the furthest source that counted is from the price. */
  confidence: string;
  sources: readonly RoundSource[];
  publishedAtMs: number;
  /** The account whose sandbox prices it is made of; absent from a round that everybody is shown. */
  simulatedFor?: string;
  /** JWS in compact form over all of this. */
  signature: string;
};

/** What is signed, in this order and nothing else: callers compare it with what they were answered. */
type SignedRound = {
  symbol: string;
  roundId: number;
  price: string;
  confidence: string;
  sources: { name: string; price: string; at: string; used: boolean }[];
  publishedAt: string;
  simulatedFor?: string;
};

/** `simulatedFor` is signed too, so whoever is shown the round can tell that an account chose its price itself. */
export async function signRound(
  { symbol, round, simulatedFor }: { symbol: string; round: NewRound; simulatedFor: string | null },
  sign: Sign,
): Promise<PriceRound> {
  const signed: SignedRound = {
    symbol,
    roundId: round.roundId,
    price: round.price,
    confidence: round.confidence,
    sources: round.sources.map(({ name, price, atMs, used }) => ({ name, price, at: timestampOf(atMs), used })),
    publishedAt: timestampOf(timeOfRound(round.roundId)),
    ...(simulatedFor !== null && { simulatedFor }),
  };
  return readSignedRound(await sign(JSON.stringify(signed)));
}

/** Of our own making: it is not verified. */
export function readSignedRound(signature: string): PriceRound {
  const payload = Buffer.from(signature.split(".")[1] ?? "", "base64url").toString();
  // Only `signRound` makes the payload of a round.
  const { publishedAt, sources, ...round } = JSON.parse(payload) as SignedRound;
  return {
    ...round,
    sources: sources.map(({ at, ...source }) => ({ ...source, atMs: Date.parse(at) })),
    publishedAtMs: Date.parse(publishedAt),
    signature,
  };
}

function timestampOf(atMs: number): string {
  return new Date(atMs).toISOString();
}
