import type { Executor } from "@gateway/database";

/**
 * What time it is in an account, in ms since 1970: Postgres' in production, that of the account's own clock in the sandbox. In the sandbox
 * the clock stands until the transaction ends, which must be open: what is written with this time is of it, and is moved by the next advance.
 */
export type AccountTime = (trx: Executor, accountId: string) => Promise<number>;

/** What an advance did to what waits: it ran so many, and so many are due and left to be run. */
export type Moved = { transitions: number; remaining: number };

/** Lets so much time pass for one kind of what waits in an account, in the transaction of the advance. */
export type TimeMover = (trx: Executor, input: { accountId: string; byMs: number }) => Promise<Moved>;
