import type { Executor, Transaction } from "@gateway/database";
import type { Kysely } from "kysely";

/** The clock of an account, as a transaction holds it: it is not moved before the transaction ends. */
export type HeldClock = {
  readonly accountId: string;
  /** Dates everything that the transaction writes: the real time and what the account has let pass. */
  readonly now: Date;
  /** How far the clock is ahead of real time, in ms: 0 in production. */
  readonly aheadMs: number;
  /** How far `now` is behind the clock, in ms. Above 0 only in an advance, which runs each item at the item's time. */
  readonly behindMs: number;
  /** Whether no other transaction holds the clock, so that it may be moved. */
  readonly isAlone: boolean;
};

/**
 * An open transaction of an account. It locks the clock before everything else, so it cannot deadlock with an advance.
 */
export interface AccountTransaction<Tables> extends Transaction<Tables>, HeldClock {}

/** Like `AccountTransaction`, for a statement that names tables of another service. */
export type AccountExecutor = Executor & HeldClock;

/** Reads the time of an account outside of its transactions, in ms since 1970. The clock is not held. */
export type AccountNow = (db: Executor, accountId: string) => Promise<number>;

export type AccountClock = {
  /** Runs `work` in the open transaction of the account, or in one of its own. */
  inAccount<Tables, Result>(
    db: Kysely<Tables>,
    accountId: string,
    work: (trx: AccountTransaction<Tables>) => Promise<Result>,
  ): Promise<Result>;
  /** The open transaction of the account. Throws when there is none. */
  joinAccount<Tables>(db: Kysely<Tables>, accountId: string): AccountTransaction<Tables>;
  accountNow: AccountNow;
};

/** Turns an act on a transaction into a function of its input. It runs in the transaction of the input's account. */
export function actsOf<Tables, Deps extends Pick<AccountClock, "inAccount">>(db: Kysely<Tables>, deps: Deps) {
  return <Input extends { accountId: string }, Result>(
    act: (trx: AccountTransaction<Tables>, deps: Deps, input: Input) => Promise<Result>,
  ) =>
    (input: Input): Promise<Result> =>
      deps.inAccount(db, input.accountId, (trx) => act(trx, deps, input));
}

export type Moved = { transitions: number; remaining: number };

/** Lets `byMs` pass for one kind of waiting work of an account, in the transaction of the advance. */
export type TimeMover = (trx: Executor, input: { accountId: string; byMs: number }) => Promise<void>;

/** Runs at most `limit` due items of an account, by its time, in the transaction that alone holds its clock. */
export type RunDue = (input: { accountId: string; aheadMs: number; limit: number }) => Promise<Moved>;
