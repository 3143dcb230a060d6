import type { PriceRound } from "./price-round.ts";
import {
  firstOfMinute,
  publishRounds,
  roundIdAt,
  timeOfRound,
  type Candidate,
  type NewRound,
} from "./publish-rounds.ts";
import type { Reading } from "./round-memory.ts";

export type FoundRound = PriceRound | NewRound;

/** A minute, or a part of it: the rounds published in it, and the last round before it that may have been published. */
export type Minute = { published: FoundRound[]; before: number };

export type RoundView = {
  read(roundId: number): Promise<Reading>;
  findPinned(from: number, to: number): Promise<PriceRound[]>;
};

/** Minutes in a row without three sources after which a walk ends: nothing is expected before them. */
const mostSilent = 5;

/** Walks minute by minute into the past, beginning with a round. Skips the minutes since the sources fell silent. */
export async function* walkMinutes(
  view: RoundView,
  { last, from = 0 }: { last: number; from?: number },
): AsyncGenerator<Minute> {
  let at = last;
  let silent = 0;
  while (at >= from && silent < mostSilent) {
    const { goodUntilMs, ...minute } = await examineMinute(view, firstOfMinute(at), at);
    silent = minute.published.length === 0 && goodUntilMs === null ? silent + 1 : 0;
    yield minute;
    at = minute.before;
  }
}

/** The last round published at `atMs` or before. Null when none was found within `mostSilent` minutes. */
export async function findInForce(view: RoundView, atMs: number): Promise<FoundRound | null> {
  const last = roundIdAt(atMs);
  // Readings before a pinned round are not needed.
  const known = (await view.findPinned(firstOfMinute(last), last)).slice(-1);
  const { published, before } = await examineMinute(view, known[0]?.roundId ?? firstOfMinute(last), last, known);
  const found = published.at(-1);
  if (found) {
    return found;
  }
  let minutes = 1;
  for await (const minute of walkMinutes(view, { last: before })) {
    const earlier = minute.published.at(-1);
    minutes += 1;
    if (earlier || minutes >= mostSilent) {
      return earlier ?? null;
    }
  }
  return null;
}

export async function findRound(view: RoundView, roundId: number): Promise<FoundRound | null> {
  const { published } = await examineMinute(view, firstOfMinute(roundId), roundId);
  const last = published.at(-1);
  return last?.roundId === roundId ? last : null;
}

async function examineMinute(
  view: RoundView,
  first: number,
  last: number,
  known?: readonly PriceRound[],
): Promise<Minute & Pick<Reading, "goodUntilMs">> {
  const pinned = new Map((known ?? (await view.findPinned(first, last))).map((round) => [round.roundId, round]));
  const readings = await Promise.all(
    Array.from({ length: last - first + 1 }, (_none, index) => first + index).map(async (roundId) => {
      const round = pinned.get(roundId);
      return round
        ? { roundId, pinned: round, goodUntilMs: timeOfRound(roundId) }
        : { roundId, ...(await view.read(roundId)) };
    }),
  );
  const published = publishRounds(readings satisfies Candidate<PriceRound>[]);
  const goodUntilMs = readings.at(-1)?.goodUntilMs ?? null;
  const beforeMinute = firstOfMinute(last) - 1;
  const isSilent = published.length === 0 && goodUntilMs !== null;
  return { published, goodUntilMs, before: isSilent ? Math.min(beforeMinute, roundIdAt(goodUntilMs)) : beforeMinute };
}
