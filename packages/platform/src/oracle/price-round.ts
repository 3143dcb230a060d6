import type { RoundSource } from "./decide-price.ts";
import { timeOfRound, type NewRound } from "./publish-rounds.ts";
import type { Sign } from "./price-signing-key.ts";

/** A published price, which never changes. Prices are decimal strings with 8 places. */
export type PriceRound = {
  symbol: string;
  /** Its time, in tens of seconds since 1970. */
  roundId: number;
  price: string;
  /** The distance of the furthest used source from the price. */
  confidence: string;
  sources: readonly RoundSource[];
  publishedAtMs: number;
  /** The account from whose sandbox prices it is made. A round that all accounts see does not have it. */
  simulatedFor?: string;
  /** JWS in compact form over everything else. */
  signature: string;
};

/** The signed content, in this order and without more: callers compare it with the response. */
type SignedRound = {
  symbol: string;
  roundId: number;
  price: string;
  confidence: string;
  sources: { name: string; price: string; at: string; used: boolean }[];
  publishedAt: string;
  simulatedFor?: string;
};

/** `simulatedFor` is signed too, so that readers of the round can see that an account chose its price itself. */
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

/** For our own signatures, which it does not verify. */
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
