import type { Executor } from "@gateway/database";

/**
 * What time it is in an account, in ms since 1970: Postgres' in production, that of the account's own clock in the sandbox. In the sandbox
 * the clock stands until the transaction ends, which must be open: what is written with this time is of it, and is moved by the next advance.
 */
export type AccountTime = (trx: Executor, accountId: string) => Promise<number>;

/** The same for who only reads: of this moment, held by nobody, and outside of any transaction. */
export type AccountNow = (db: Executor, accountId: string) => Promise<number>;

/** How far that is ahead of the real time, in ms: 0 in production. It stands as `AccountTime` does. */
export type ClockAhead = (trx: Executor, accountId: string) => Promise<number>;

/** An account's clock, stopped at the time of an item of work while that runs, so that what it writes and arms is of then. */
export type StoppedClock = {
  accountId: string;
  nowMs: number;
  /** How far the clock is ahead in truth, of an advance, which holds it alone. */
  aheadMs?: number;
};

/** What an advance did to what waits: it ran so many, and so many are due and left to be run. */
export type Moved = { transitions: number; remaining: number };

/** Lets so much time pass for one kind of what waits in an account, in the transaction of the advance. */
export type TimeMover = (trx: Executor, input: { accountId: string; byMs: number }) => Promise<void>;

/** Runs what is due in an account by its time, so many at most, in the transaction that holds its clock alone. */
export type RunDue = (input: { accountId: string; aheadMs: number; limit: number }) => Promise<Moved>;
