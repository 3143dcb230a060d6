import { differsBy, type DecidedPrice } from "./decide-price.ts";

export const roundMs = 10_000;
export const heartbeatSeconds = 60;
export const deviationBps = 50;
export const staleAfterSeconds = 120;
const roundsOfMinute = (heartbeatSeconds * 1000) / roundMs;

/** The last round that begins until then: its number is its time in tens of seconds since 1970. */
export function roundIdAt(atMs: number): number {
  return Math.floor(atMs / roundMs);
}

export function timeOfRound(roundId: number): number {
  return roundId * roundMs;
}

export function firstOfMinute(roundId: number): number {
  return roundId - (roundId % roundsOfMinute);
}

/** Older than two minutes: of two rounds that should have been, none was. */
export function isStale(publishedAtMs: number, nowMs: number): boolean {
  return nowMs - publishedAtMs > staleAfterSeconds * 1000;
}

export type Candidate<Pinned> = { roundId: number } & ({ pinned: Pinned } | { decided: DecidedPrice | null });

export type NewRound = { roundId: number } & DecidedPrice;

/**
 * Of a minute the first round that has a price, then each that is 50 bps or more from the one published before it. Each
 * minute begins anew, so to know one round takes at most six readings, and one that was published stays so.
 */
export function publishRounds<Pinned extends { price: string }>(
  candidates: readonly Candidate<Pinned>[],
): (Pinned | NewRound)[] {
  const published: (Pinned | NewRound)[] = [];
  for (const candidate of candidates) {
    const round = roundOf(candidate);
    const before = published.at(-1);
    if (round && (!before || "pinned" in candidate || differsBy(BigInt(deviationBps), before.price, round.price))) {
      published.push(round);
    }
  }
  return published;
}

function roundOf<Pinned>(candidate: Candidate<Pinned>): Pinned | NewRound | null {
  if ("pinned" in candidate) {
    return candidate.pinned;
  }
  return candidate.decided && { roundId: candidate.roundId, ...candidate.decided };
}
