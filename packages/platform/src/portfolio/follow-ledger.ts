import { Problem } from "@gateway/contract";
import { isLockTimeout } from "@gateway/database";
import type { AccountTransaction } from "@gateway/engine/account-time";
import type { Kysely } from "kysely";
import { countOn, nextMidnightMs, type NewValuation } from "./count-on.ts";
import { readPortfolio, savePortfolio, type Portfolio } from "./portfolio-row.ts";
import { followPortfolioKind, type PortfolioDeps } from "./portfolio-deps.ts";
import { OutOfTime } from "../oracle/index.ts";
import { createPriceReader, type PriceReader } from "./prices.ts";
import type { PortfolioTables } from "./tables.ts";
import { insertValuation } from "./valuation-row.ts";

export const turnSize = 500;

export type Following = {
  accountId: string;
  /** Also values the days that have ended by then; null: only counts what is sealed. */
  untilMs: number | null;
  busyMs: number;
};

/** `isBehind`: more remains, which the next call counts. */
export type Followed = { portfolio: Portfolio; isBehind: boolean };

/** Works in turns: reads, asks for prices outside of transactions, and writes if no other process has counted on. */
export async function followLedger(
  db: Kysely<PortfolioTables>,
  deps: PortfolioDeps,
  { accountId, untilMs, busyMs }: Following,
): Promise<Followed> {
  if (untilMs !== null) {
    await deps.ledger.seals.sealNow(accountId).catch(refuseBusy);
  }
  const until = performance.now() + busyMs;
  const prices = createPriceReader(deps.prices, { accountId, untilMs: until });
  let turn: Turn;
  do {
    turn = await takeTurn(db, deps, { accountId, untilMs, prices });
  } while (turn.isBehind && performance.now() < until);
  return turn;
}

/** An advance of the account's clock seals too, and keeps others from sealing until it commits. */
function refuseBusy(error: unknown): never {
  throw isLockTimeout(error)
    ? new Problem("UNAVAILABLE", "The books of this account are being sealed. Try again in a moment.", {
        headers: { "Retry-After": "1" },
        cause: error,
      })
    : error;
}

type Turn = Followed;

async function takeTurn(
  db: Kysely<PortfolioTables>,
  deps: PortfolioDeps,
  { accountId, untilMs, prices }: Pick<Following, "accountId" | "untilMs"> & { prices: PriceReader },
): Promise<Turn> {
  const before = await readPortfolio(db, { accountId });
  const changes = await deps.ledger.sealed.list({ accountId, after: before.sequence, limit: turnSize });
  const isFull = changes.length === turnSize;
  const counted = await countOn(before, {
    changes,
    untilMs: isFull ? null : untilMs,
    prices,
    createId: () => deps.createId("val"),
  }).catch(nullWhenOutOfTime);
  if (counted === null) {
    return { portfolio: before, isBehind: true };
  }
  const { after, valuations, isCut } = counted;
  if (after === before) {
    return { portfolio: before, isBehind: false };
  }
  const isSaved = await deps.inAccount(db, accountId, (trx) => save(trx, { before, after, valuations }));
  if (isSaved && before.nextDailyMs === null) {
    await armFollowing(deps, { accountId, afterMs: await deps.accountNow(db, accountId) });
  }
  return isSaved ? { portfolio: after, isBehind: isFull || isCut } : { portfolio: before, isBehind: true };
}

function nullWhenOutOfTime(error: unknown): null {
  if (error instanceof OutOfTime) {
    return null;
  }
  throw error;
}

type Step = { before: Portfolio; after: Portfolio; valuations: readonly NewValuation[] };

async function save(trx: AccountTransaction<PortfolioTables>, { before, after, valuations }: Step): Promise<boolean> {
  const { accountId, now: createdAt } = trx;
  if (!(await savePortfolio(trx, { accountId, before, after }))) {
    return false;
  }
  for (const valuation of valuations) {
    await insertValuation(trx, { ...valuation, accountId, kind: "daily", externalId: null, metadata: {}, createdAt });
  }
  return true;
}

/**
 * Arms work for the next 00:00 UTC of the account's time. In production, accounts are spread over the hour after it.
 */
async function armFollowing(
  { livemode, queue }: Pick<PortfolioDeps, "livemode" | "queue">,
  { accountId, afterMs }: { accountId: string; afterMs: number },
): Promise<void> {
  const firesAt = nextFollowing({ livemode, accountId, afterMs });
  await queue.arm({ accountId, kind: followPortfolioKind, subjectId: accountId, firesAt });
}

const spreadMs = 60 * 60 * 1000;

export function nextFollowing({
  livemode,
  accountId,
  afterMs,
}: {
  livemode: boolean;
  accountId: string;
  afterMs: number;
}): Date {
  const midnightMs = nextMidnightMs(afterMs);
  return new Date(livemode ? midnightMs + placeOf(accountId) : midnightMs);
}

/** The last characters of an id are random. */
function placeOf(accountId: string): number {
  return Number.parseInt(accountId.slice(-6).replaceAll(/[^0-9a-v]/g, "0"), 32) % spreadMs;
}

/** For readers, who would mistake half a portfolio for all of it. */
export function refuseBehind({ isBehind, portfolio }: Followed): Portfolio {
  if (isBehind) {
    throw new Problem(
      "UNAVAILABLE",
      `The portfolio counts the ledger, and is at the ledger transaction ${portfolio.sequence}. Try again in a moment.`,
      { headers: { "Retry-After": "1" } },
    );
  }
  return portfolio;
}
