import { invalidField, Problem } from "@gateway/contract";
import { isDeadlock, isLockTimeout, type Executor } from "@gateway/database";
import type { Clock } from "@gateway/kernel";
import { sql, type Kysely } from "kysely";
import type {
  AccountNow,
  AccountTime,
  ClockAhead,
  Moved,
  RunDue,
  StoppedClock,
  TimeMover,
} from "@gateway/engine/account-time";
import type { RecordAudit } from "../audit/index.ts";
import type { GatewayTables } from "./tables.ts";

/** 10 years of 365 days, in all: what is written then is a date that everybody can read. */
export const mostAheadMs = 3_650 * 24 * 60 * 60 * 1000;

export type SandboxClock = { nowMs: number; aheadMs: number };

export type ClockAdvance = Moved & { nowMs: number };

/** The time of an account in the sandbox: the real one, and what it was moved ahead of it. It never goes back. */
export interface SandboxClocks {
  get(accountId: string): Promise<SandboxClock>;
  /** Lets time pass for all that waits in the account. Alone with the account: it waits for those who write, and they for it. Must run in a transaction. */
  advance(input: { accountId: string; seconds: number }): Promise<ClockAdvance>;
  /** For the worker: runs some more of what an advance left. */
  catchUp(accountId: string): Promise<ClockAdvance>;
}

export type SandboxClockDeps = {
  clock: Clock;
  /** One for each kind of what waits for a time, in the order in which they move. */
  movers: readonly TimeMover[];
  runDue: RunDue;
  recordAudit: RecordAudit;
};

/** In the one transaction of an advance. */
const advanceLimit = 500;
/** While it lasts, all that writes in the account waits: a fraction of a second. */
const catchUpLimit = 50;

export function createSandboxClocks(db: Kysely<GatewayTables>, deps: SandboxClockDeps): SandboxClocks {
  return {
    get: async (accountId) => {
      const row = await db
        .selectFrom("sandbox_clocks")
        .select("offset_ms")
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      const aheadMs = row?.offset_ms ?? 0;
      return { nowMs: deps.clock.now() + aheadMs, aheadMs };
    },
    advance: (input) => orLater(() => advance(db, deps, input)),
    catchUp: (accountId) =>
      orLater(async () => {
        const aheadMs = await holdClock(db, { accountId, isExclusive: true });
        const moved = await deps.runDue({ accountId, aheadMs, limit: catchUpLimit });
        return { nowMs: deps.clock.now() + aheadMs, ...moved };
      }),
  };
}

export type AccountClock = {
  accountNow: AccountNow;
  accountTime: AccountTime;
  clockAhead: ClockAhead;
  /** How far the clock was stopped behind what it would show, in ms. */
  behindMs(accountId: string): number;
};

export type AccountClockDeps = { clock: Clock; livemode: boolean; stoppedClock: StoppedClock | null };

/** Production has no clocks of accounts, and asks for none. */
export function createAccountClock({ clock, livemode, stoppedClock }: AccountClockDeps): AccountClock {
  const stoppedFor = (accountId: string) => (stoppedClock?.accountId === accountId ? stoppedClock : null);
  const clockAhead: ClockAhead = async (trx, accountId) =>
    livemode ? 0 : (stoppedFor(accountId)?.aheadMs ?? orLater(() => holdClock(trx, { accountId, isExclusive: false })));
  return {
    clockAhead,
    accountNow: async (db, accountId) =>
      stoppedFor(accountId)?.nowMs ?? clock.now() + (livemode ? 0 : await readAhead(db, accountId)),
    accountTime: async (trx, accountId) => {
      const aheadMs = await clockAhead(trx, accountId);
      return stoppedFor(accountId)?.nowMs ?? clock.now() + aheadMs;
    },
    behindMs: (accountId) => {
      const { nowMs = 0, aheadMs } = stoppedFor(accountId) ?? {};
      return aheadMs === undefined ? 0 : Math.max(0, clock.now() + aheadMs - nowMs);
    },
  };
}

async function advance(
  db: Kysely<GatewayTables>,
  { clock, movers, runDue, recordAudit }: SandboxClockDeps,
  { accountId, seconds }: { accountId: string; seconds: number },
): Promise<ClockAdvance> {
  const byMs = seconds * 1000;
  const beforeMs = await holdClock(db, { accountId, isExclusive: true });
  const leftMs = mostAheadMs - beforeMs;
  if (byMs > leftMs) {
    throw invalidField("seconds", `must be at most ${leftMs / 1000}, for the clock may be 10 years ahead in all`);
  }
  await db
    .insertInto("sandbox_clocks")
    .values({ account_id: accountId, offset_ms: byMs })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ offset_ms: beforeMs + byMs }))
    .execute();
  await recordAudit(db, {
    accountId,
    type: "account.clock_advanced",
    resourceId: accountId,
    before: { aheadSeconds: beforeMs / 1000 },
    after: { aheadSeconds: (beforeMs + byMs) / 1000 },
  });
  for (const move of movers) {
    await move(db, { accountId, byMs });
  }
  const aheadMs = beforeMs + byMs;
  const moved = await runDue({ accountId, aheadMs, limit: advanceLimit });
  return { nowMs: clock.now() + aheadMs, ...moved };
}

/**
 * How far the clock is ahead, in ms; it stands until the transaction ends. Writers hold it together, an advance alone. One call that
 * waits and then reads: a statement of ours would read what was there when it began to wait.
 */
async function holdClock(
  trx: Executor,
  { accountId, isExclusive }: { accountId: string; isExclusive: boolean },
): Promise<number> {
  if (!trx.isTransaction) {
    throw new Error("The clock of an account was to be held outside of a transaction.");
  }
  const { rows } = await sql<{ offset_ms: number }>`
    select hold_sandbox_clock(${accountId}, ${isExclusive}) as offset_ms
  `.execute(trx);
  return rows[0]?.offset_ms ?? 0;
}

async function readAhead(db: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ offset_ms: number }>`
    select offset_ms from sandbox_clocks where account_id = ${accountId}
  `.execute(db);
  return rows[0]?.offset_ms ?? 0;
}

async function orLater<Result>(work: () => Promise<Result>): Promise<Result> {
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
