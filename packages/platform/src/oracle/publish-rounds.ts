import { differsBy, type DecidedPrice } from "./decide-price.ts";

const roundMs = 10_000;
export const heartbeatSeconds = 60;
export const deviationBps = 50;
const staleAfterSeconds = 120;
const roundsOfMinute = (heartbeatSeconds * 1000) / roundMs;

/** The last round that begins at `atMs` or before. Its number is its time in tens of seconds since 1970. */
export function roundIdAt(atMs: number): number {
  return Math.floor(atMs / roundMs);
}

export function timeOfRound(roundId: number): number {
  return roundId * roundMs;
}

export function firstOfMinute(roundId: number): number {
  return roundId - (roundId % roundsOfMinute);
}

/** Older than two minutes: two heartbeats passed without a round. */
export function isStale(publishedAtMs: number, nowMs: number): boolean {
  return nowMs - publishedAtMs > staleAfterSeconds * 1000;
}

export type Candidate<Pinned> = { roundId: number } & ({ pinned: Pinned } | { decided: DecidedPrice | null });

export type NewRound = { roundId: number } & DecidedPrice;

/**
 * Publishes the first round of a minute that has a price. Publishes a later one if it differs by at least 50 bps from
 * the published one before. Each minute begins independently, so finding a round takes at most six readings. A
 * published round stays published.
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
