import type { PlatformDatabase } from "@gateway/platform/compose/schema";
import { setTimeout as delay } from "node:timers/promises";
import type { StormAccount } from "./account.ts";
import type { Caller } from "./call.ts";
import { leftOpen } from "./machines.ts";

/** Longer than any deadline: a review may take 90 days. */
const longSeconds = 100 * 24 * 60 * 60;
/** Work that is left after one advance may need more of them. */
const mostAdvances = 3;

export type TimeOptions = { caller: Caller; settleMs: number; signal: AbortSignal };

/**
 * Advances the clocks of all accounts until all open work has ended. Returns the work that has not, or the refusal of
 * an advance.
 */
export async function letTimePass(
  database: PlatformDatabase,
  accounts: readonly StormAccount[],
  { caller, ...settling }: TimeOptions,
): Promise<string[]> {
  let open: string[] = [];
  for (let turn = 1; turn <= mostAdvances; turn += 1) {
    for (const { id, key } of accounts) {
      const advance = { method: "POST", path: "/sandbox/clock/advance", body: { seconds: longSeconds } } as const;
      const { status, text } = await caller.call(advance, { key, idempotencyKey: `storm-end-${turn}` });
      if (status !== 200) {
        return [`the clock of ${id} was to be advanced: ${status} ${text.slice(0, 300)}`];
      }
    }
    await settle(database, settling);
    open = (await leftOpen.execute(database.kysely)).rows.map(({ fault }) => fault);
    if (open.length === 0) {
      return [];
    }
  }
  return open;
}

/**
 * Waits until nothing is due and everything is sealed, at most `settleMs`. The verdict finds the rest. Work that a
 * killed worker had claimed falls due when its lease ends, and no clock moves it before.
 */
export async function settle(
  { kysely }: PlatformDatabase,
  { settleMs, signal }: { settleMs: number; signal: AbortSignal },
): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < settleMs) {
    const [due, unsealed] = await Promise.all([
      kysely
        .selectFrom("work_items")
        .select("id")
        .where((item) => item.or([item("due_at", "<=", new Date()), item("lease", "is not", null)]))
        .limit(1)
        .execute(),
      kysely.selectFrom("ledger_transactions").select("id").where("sequence", "is", null).limit(1).execute(),
    ]);
    if (due.length + unsealed.length === 0) {
      return;
    }
    await delay(250, null, { signal });
  }
}
