import { Problem } from "@gateway/contract";
import { isDeadlock, isLockTimeout, transaction, type Executor, type Transaction } from "@gateway/database";
import type { AccountClock, AccountTransaction, HeldClock } from "@gateway/engine/account-time";
import type { Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";

export type AccountClockDeps = {
  clock: Clock;
  livemode: boolean;
  /** The clock that the transaction of these services holds. */
  held: HeldClock | null;
  /** The time of the work item in progress. In the sandbox the clock of its account shows this time meanwhile. */
  stoppedAt: Date | null;
};

type Holding = {
  /**
   * Locks the clock, as the first statement of a transaction. A transaction that already holds it gets what it holds.
   */
  hold(trx: Executor, input: { accountId: string; isAlone?: boolean }): Promise<HeldClock>;
};

/** Production has no account clocks and reads none. */
export function createAccountClock({ clock, livemode, held, stoppedAt }: AccountClockDeps): AccountClock & Holding {
  const hold: Holding["hold"] = async (trx, { accountId, isAlone = false }) => {
    if (held) {
      return expectHeld(held, accountId);
    }
    const aheadMs = livemode ? 0 : await orLater(() => lockClock(trx, { accountId, isAlone }));
    return { accountId, now: stoppedAt ?? new Date(clock.now() + aheadMs), aheadMs, behindMs: 0, isAlone };
  };
  const joinAccount = <Tables>(db: Kysely<Tables>, accountId: string): AccountTransaction<Tables> => {
    if (!db.isTransaction) {
      throw new Error(`A row dated by the clock of ${accountId} was about to be written outside a transaction.`);
    }
    // Safe, because `isTransaction` was checked above.
    return Object.assign(db as Transaction<Tables>, expectHeld(held, accountId));
  };
  return {
    hold,
    inAccount: async (db, accountId, work) =>
      db.isTransaction
        ? work(joinAccount(db, accountId))
        : transaction(db, async (trx) => work(Object.assign(trx, await hold(trx, { accountId })))),
    joinAccount,
    accountNow: async (db, accountId) =>
      (held ? expectHeld(held, accountId).now : stoppedAt)?.getTime() ??
      clock.now() + (livemode ? 0 : await readAhead(db, accountId)),
  };
}

function expectHeld(held: HeldClock | null, accountId: string): HeldClock {
  if (held?.accountId !== accountId) {
    throw new Error(`The transaction did not begin with the clock of ${accountId}.`);
  }
  return held;
}

/** Milliseconds ahead. Waits and then reads in one call, because a statement would read the state before its wait. */
async function lockClock(
  trx: Executor,
  { accountId, isAlone }: { accountId: string; isAlone: boolean },
): Promise<number> {
  const { rows } = await sql<{ offset_ms: number }>`
    select hold_sandbox_clock(${accountId}, ${isAlone}) as offset_ms
  `.execute(trx);
  return rows[0]?.offset_ms ?? 0;
}

async function readAhead(db: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ offset_ms: number }>`
    select offset_ms from sandbox_clocks where account_id = ${accountId}
  `.execute(db);
  return rows[0]?.offset_ms ?? 0;
}

/** Turns a lock timeout or a deadlock into a 503 that asks the caller to retry. */
export async function orLater<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isLockTimeout(error) || isDeadlock(error)) {
      throw new Problem("UNAVAILABLE", "The clock of this account is being moved. Try again in a moment.", {
        headers: { "Retry-After": "1" },
        cause: error,
      });
    }
    throw error;
  }
}
