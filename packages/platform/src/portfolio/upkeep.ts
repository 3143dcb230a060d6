import type { Kysely } from "kysely";
import { checkValuations } from "./check-valuations.ts";
import { followLedger, nextFollowing } from "./follow-ledger.ts";
import { rebuildPortfolioKind, type PortfolioDeps } from "./portfolio-deps.ts";
import type { PortfolioTables } from "./tables.ts";

export type Upkeep = ReturnType<typeof createUpkeep>;

export function createUpkeep(db: Kysely<PortfolioTables>, deps: PortfolioDeps) {
  return {
    /**
     * Values the days that have ended. Returns when the next one ends, or null when more remain. Outside of
     * transactions.
     */
    follow: async ({ accountId, busyMs }: { accountId: string; busyMs: number }) => {
      const untilMs = await deps.accountNow(db, accountId);
      const { isBehind } = await followLedger(db, deps, { accountId, untilMs, busyMs });
      return isBehind ? null : nextFollowing({ livemode: deps.livemode, accountId, afterMs: untilMs });
    },
    /**
     * Deletes what was derived from the ledger, but not valuations. False when there is nothing. Must run in a
     * transaction.
     */
    drop: (accountId: string) =>
      deps.inAccount(db, accountId, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable("portfolios")
          .set({ sequence: 0, net_flow: "0" })
          .where("account_id", "=", accountId)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) {
          return false;
        }
        await trx.deleteFrom("positions").where("account_id", "=", accountId).execute();
        await deps.recordAudit(trx, { accountId, type: "portfolio.rebuilt", resourceId: accountId });
        await deps.queue.arm({ accountId, kind: rebuildPortfolioKind, subjectId: accountId, firesAt: trx.now });
        return true;
      }),
    /** Counts again what was deleted; false when more remains. Outside of transactions. */
    countAgain: async (input: { accountId: string; busyMs: number }) =>
      !(await followLedger(db, deps, { ...input, untilMs: null })).isBehind,
    checkValuations: (input: { accountId: string; busyMs: number }) => checkValuations(db, deps, input),
  };
}
