import type { Executor, Transaction } from "@gateway/database";
import type { Kysely } from "kysely";

/** The clock of an account, as a transaction holds it: nobody moves it before the transaction ends. */
export type HeldClock = {
  readonly accountId: string;
  /** Dates all that the transaction writes: the real time and what the account has let pass. */
  readonly now: Date;
  /** How far the clock is ahead of the real time, in ms: 0 in production. */
  readonly aheadMs: number;
  /** How far `now` is behind what the clock shows, in ms. An advance runs each item at the item's time; else 0. */
  readonly behindMs: number;
  /** Whether no other transaction holds the clock, so that it may be moved. */
  readonly isAlone: boolean;
};

/** An open transaction of an account. It locked the clock before all else: nobody waits in a circle with an advance. */
export interface AccountTransaction<Tables> extends Transaction<Tables>, HeldClock {}

/** The same for a statement that names tables of another service. */
export type AccountExecutor = Executor & HeldClock;

/** The time of an account outside of its transactions, in ms since 1970: nobody holds it. */
export type AccountNow = (db: Executor, accountId: string) => Promise<number>;

export type AccountClock = {
  /** Runs `work` in the open transaction of the account, or in one of its own. */
  inAccount<Tables, Result>(
    db: Kysely<Tables>,
    accountId: string,
    work: (trx: AccountTransaction<Tables>) => Promise<Result>,
  ): Promise<Result>;
  /** The open transaction of the account. Throws where there is none. */
  joinAccount<Tables>(db: Kysely<Tables>, accountId: string): AccountTransaction<Tables>;
  accountNow: AccountNow;
};

/** Makes of what a noun does in a transaction what it does by its face: in that of the account that its input names. */
export function actsOf<Tables, Deps extends Pick<AccountClock, "inAccount">>(db: Kysely<Tables>, deps: Deps) {
  return <Input extends { accountId: string }, Result>(
    act: (trx: AccountTransaction<Tables>, deps: Deps, input: Input) => Promise<Result>,
  ) =>
    (input: Input): Promise<Result> =>
      deps.inAccount(db, input.accountId, (trx) => act(trx, deps, input));
}

export type Moved = { transitions: number; remaining: number };

/** Lets so much time pass for one kind of what waits in an account, in the transaction of the advance. */
export type TimeMover = (trx: Executor, input: { accountId: string; byMs: number }) => Promise<void>;

/** Runs what is due in an account by its time, so many at most, in the transaction that holds its clock alone. */
export type RunDue = (input: { accountId: string; aheadMs: number; limit: number }) => Promise<Moved>;
