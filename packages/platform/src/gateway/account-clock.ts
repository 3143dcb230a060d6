import { Problem } from "@gateway/contract";
import { isDeadlock, isLockTimeout, transaction, type Executor, type Transaction } from "@gateway/database";
import type { AccountClock, AccountTransaction, HeldClock } from "@gateway/engine/account-time";
import type { Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";

export type AccountClockDeps = {
  clock: Clock;
  livemode: boolean;
  /** By the transaction of these services. */
  held: HeldClock | null;
  /** The time of the item of work that is run: in the sandbox the clock of its account shows this meanwhile. */
  stoppedAt: Date | null;
};

type Holding = {
  /** Locks the clock: the first statement of a transaction. One that holds it already answers what it holds. */
  hold(trx: Executor, input: { accountId: string; isAlone?: boolean }): Promise<HeldClock>;
};

/** Production has no clocks of accounts, and asks for none. */
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
    // A transaction is one, by its own word.
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

/** In ms ahead. One call that waits and then reads: a statement would read what was there when it began to wait. */
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

/** Who waits for longer than the connection's limit for locks is asked to come again. */
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
