import type { Kysely } from "kysely";
import { startOfPage, type PageRequest } from "@gateway/engine/page";
import type { NounDeps } from "../audit/index.ts";
import type { MarketData } from "../market-data/index.ts";
import { decidePrice, goodUntilMs } from "./decide-price.ts";
import { findInForce, findRound, walkMinutes, type FoundRound, type RoundView } from "./find-rounds.ts";
import type { PriceRound } from "./price-round.ts";
import { roundIdAt, timeOfRound } from "./publish-rounds.ts";
import type { Reading, RoundMemory } from "./round-memory.ts";
import { everybody, type RoundStore, type RoundScope } from "./round-store.ts";
import type { OracleTables } from "./tables.ts";

type Own = { accountId: string; symbol: string };

/** A round is pinned when a caller first sees it, and then never changes. */
export type PriceRounds = ReturnType<typeof createPriceRounds>;

export type PriceRoundDeps = NounDeps & {
  marketData: { prices: Pick<MarketData["prices"], "read" | "ownSince"> };
  roundMemory: RoundMemory;
  store: RoundStore;
  /** A current round has no price. Only for rounds that all accounts share, because an account may silence its own. */
  onUndecided?(symbol: string): void;
};

/** A reading of a time long past or in the future does not show how the sources are. */
const ofNowMs = 10 * 60_000;

/** Reading makes rows, so the time that can be read is limited: 45,000 rounds per symbol in quiet markets. */
export const listedForMs = 31 * 24 * 60 * 60 * 1000;
/** Minutes without a round that one page examines. */
const mostEmptyMinutes = 60;

export function createPriceRounds(db: Kysely<OracleTables>, deps: PriceRoundDeps) {
  const { cursors, roundMemory: memory, store } = deps;
  return {
    /** The last one published by then, or null. In production not in a transaction: it may call the sources. */
    inForceAt: async ({ atMs, ...own }: Own & { atMs: number }) => {
      const view = await viewOf(db, deps, own);
      const look = async (): Promise<PriceRound | null> => {
        const found = await findInForce(view, atMs);
        return found && ((await pinAll(store, own.symbol, view, [found]))[0] ?? null);
      };
      const roundId = roundIdAt(atMs);
      const isShared = view.scopeOf(roundId) === everybody && !db.isTransaction;
      return isShared ? memory.inForce(`${own.symbol} ${roundId}`, look) : look();
    },
    /** Null: none was published then, or no caller saw it in the 31 days in which it could be read. */
    get: async ({ roundId, nowMs, ...own }: Own & { roundId: number; nowMs: number }) => {
      const ageMs = nowMs - timeOfRound(roundId);
      if (ageMs < 0) {
        return null;
      }
      const view = await viewOf(db, deps, own);
      const pinned = await store.find({ scope: view.scopeOf(roundId), symbol: own.symbol, roundId });
      if (pinned || ageMs > listedForMs) {
        return pinned;
      }
      const found = await findRound(view, roundId);
      return found && ((await pinAll(store, own.symbol, view, [found]))[0] ?? null);
    },
    /** Rounds of the last 31 days, newest first. A page may be shorter than requested, even when more follows. */
    list: async ({ limit, cursor, nowMs, ...own }: Own & { nowMs: number } & Pick<PageRequest, "limit" | "cursor">) => {
      const view = await viewOf(db, deps, own);
      const list = `price-rounds ${own.accountId} ${own.symbol}`;
      const position = startOfPage(cursors, list, cursor);
      const newest = roundIdAt(nowMs);
      const from = roundIdAt(nowMs - listedForMs);
      const last = position === null ? newest : Number(position) - 1;
      const { rounds, next } = await collectRounds(view, { last, from, limit });
      return {
        items: await pinAll(store, own.symbol, view, rounds),
        nextCursor: next === null ? null : cursors.encode(list, String(next)),
      };
    },
  };
}

type ScopedView = RoundView & { scopeOf(roundId: number): RoundScope };

async function viewOf(
  db: Kysely<OracleTables>,
  { clock, livemode, marketData, onUndecided, roundMemory: memory, store }: PriceRoundDeps,
  own: Own,
): Promise<ScopedView> {
  const ownSinceMs = await marketData.prices.ownSince(own);
  const scopeOf = (roundId: number): RoundScope =>
    ownSinceMs !== null && timeOfRound(roundId) >= ownSinceMs ? own.accountId : everybody;
  const look = async (roundId: number): Promise<Reading> => {
    if (livemode && db.isTransaction) {
      throw new Error(`The sources of ${own.symbol} were about to be called within a transaction.`);
    }
    const atMs = timeOfRound(roundId);
    const said = await marketData.prices.read({ ...own, atMs });
    const decided = decidePrice(said, atMs);
    if (decided === null && scopeOf(roundId) === everybody && Math.abs(clock.now() - atMs) < ofNowMs) {
      onUndecided?.(own.symbol);
    }
    return { decided, goodUntilMs: goodUntilMs(said, atMs) };
  };
  return {
    scopeOf,
    // An account's changes may not be committed yet, so only readings that all accounts share are remembered.
    read: (roundId) =>
      scopeOf(roundId) === everybody && !db.isTransaction
        ? memory.readings(`${own.symbol} ${roundId}`, () => look(roundId))
        : look(roundId),
    findPinned: async (from, to) => {
      const scopes = [...new Set([scopeOf(from), scopeOf(to)])];
      const rounds = await store.findAll({ scopes, symbol: own.symbol, from, to });
      return scopes.flatMap((scope) => (rounds.get(scope) ?? []).filter(({ roundId }) => scopeOf(roundId) === scope));
    },
  };
}

async function collectRounds(
  view: RoundView,
  { last, from, limit }: { last: number; from: number; limit: number },
): Promise<{ rounds: FoundRound[]; next: number | null }> {
  const rounds: FoundRound[] = [];
  let minutes = 0;
  for await (const { published, before } of walkMinutes(view, { last, from })) {
    rounds.push(...published.filter(({ roundId }) => roundId >= from).toReversed());
    minutes += 1;
    if (rounds.length > limit) {
      const shown = rounds.slice(0, limit);
      return { rounds: shown, next: shown.at(-1)?.roundId ?? null };
    }
    if (minutes >= limit + mostEmptyMinutes) {
      return { rounds, next: before + 1 };
    }
  }
  return { rounds, next: null };
}

/** Keeps the order. Rounds that are pinned already stay as they are. */
async function pinAll(
  store: RoundStore,
  symbol: string,
  view: ScopedView,
  found: readonly FoundRound[],
): Promise<PriceRound[]> {
  const isPinned = (round: FoundRound): round is PriceRound => "signature" in round;
  const fresh = found.flatMap((round) => (isPinned(round) ? [] : [{ scope: view.scopeOf(round.roundId), round }]));
  const pinned = new Map((await store.pin(symbol, fresh)).map((round) => [round.roundId, round]));
  return found.flatMap((round) => (isPinned(round) ? round : (pinned.get(round.roundId) ?? [])));
}
