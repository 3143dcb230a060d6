import { invalidField } from "@gateway/contract";
import type { Moved, RunDue, TimeMover } from "@gateway/engine/account-time";
import type { Kysely } from "kysely";
import type { NounDeps } from "../audit/index.ts";
import { orLater } from "./account-clock.ts";
import type { GatewayTables } from "./tables.ts";

/** 10 years of 365 days in total, so that dates written then stay readable for every client. */
export const mostAheadMs = 3_650 * 24 * 60 * 60 * 1000;

export type SandboxClock = { nowMs: number; aheadMs: number };

type ClockAdvance = Moved & { nowMs: number };

/** The time of an account in the sandbox: the real time plus the time it was moved ahead. It never goes back. */
export type SandboxClocks = ReturnType<typeof createSandboxClocks>;

export type SandboxClockDeps = NounDeps & {
  /** One for each kind of waiting work, in the order in which they move. */
  movers: readonly TimeMover[];
  runDue: RunDue;
};

const advanceLimit = 500;
/** While it runs, all writes in the account wait: a fraction of a second. */
const catchUpLimit = 50;

export function createSandboxClocks(db: Kysely<GatewayTables>, deps: SandboxClockDeps) {
  return {
    get: async (accountId: string) => {
      const row = await db
        .selectFrom("sandbox_clocks")
        .select("offset_ms")
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      const aheadMs = row?.offset_ms ?? 0;
      return { nowMs: deps.clock.now() + aheadMs, aheadMs };
    },
    /**
     * Lets time pass for everything that waits in the account. Both methods need a transaction that holds the clock
     * alone.
     */
    advance: (input: { accountId: string; seconds: number }) => orLater(() => advance(db, deps, input)),
    /** For the worker: runs more of the work that an advance left. */
    catchUp: (accountId: string) =>
      orLater(async () => {
        const aheadMs = aheadOf(db, deps, accountId);
        const moved = await deps.runDue({ accountId, aheadMs, limit: catchUpLimit });
        return { nowMs: deps.clock.now() + aheadMs, ...moved };
      }),
  };
}

async function advance(
  db: Kysely<GatewayTables>,
  deps: SandboxClockDeps,
  { accountId, seconds }: { accountId: string; seconds: number },
): Promise<ClockAdvance> {
  const { clock, movers, runDue, recordAudit } = deps;
  const byMs = seconds * 1000;
  const beforeMs = aheadOf(db, deps, accountId);
  const leftMs = mostAheadMs - beforeMs;
  if (byMs > leftMs) {
    throw invalidField(
      "seconds",
      `must be at most ${leftMs / 1000}, because the clock may be at most 10 years ahead in total`,
    );
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

/** Milliseconds by which the clock is ahead. A transaction that moves it holds it alone from its start. */
function aheadOf(db: Kysely<GatewayTables>, { joinAccount }: SandboxClockDeps, accountId: string): number {
  const { aheadMs, isAlone } = joinAccount(db, accountId);
  if (!isAlone) {
    throw new Error("The clock of an account was to be moved while others hold it.");
  }
  return aheadMs;
}
